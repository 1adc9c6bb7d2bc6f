/** Where the parts meet. All of them are loaded here and not before: a host's first question needs none. */
import type { Config } from "../config.ts";
import type { Engine } from "../engine/engine.ts";
import type { Log } from "../engine/log.ts";
import { silentLog } from "../engine/log.ts";
import type { CallDefaults, EngineDefaults } from "../engine/settings.ts";
import type { Provider } from "../providers/provider.ts";
import { type ProviderName, providerNames } from "../providers/registry.ts";

/** An engine on the configured store; its `close` closes the store as well. */
export async function openEngine(config: Config, log: Log): Promise<Engine> {
  const { createProviders } = await import("../providers/registry.ts");
  const providers = createProviders({ ...config, log }, providersFor(config));
  return engineWith(providers, config, log);
}

/** The one in use, and every other that can be used: those without a key, and those whose key is there. */
function providersFor({ provider, openai, anthropic }: Config): ProviderName[] {
  const usable: Record<ProviderName, boolean> = {
    openai: openai.apiKey !== null,
    ollama: true,
    anthropic: anthropic.apiKey !== null,
    manual: true,
  };
  return providerNames.filter((name) => name === provider || usable[name]);
}

/** The same without providers: what is stored can be looked at, and nothing can be sent. Needs no key. */
export function openReader(config: Config): Promise<Engine> {
  return engineWith(new Map(), config, silentLog);
}

async function engineWith(
  providers: ReadonlyMap<string, Provider>,
  config: Config,
  log: Log,
): Promise<Engine> {
  const [{ openSqliteStore }, { createEngine }] = await Promise.all([
    import("../store/sqlite/open.ts"),
    import("../engine/create.ts"),
  ]);
  const store = await openSqliteStore({ file: config.database });
  const { policy, transcripts, prices } = config;
  const engine = createEngine({
    store,
    providers,
    defaults: defaultsOf(config),
    policy,
    transcripts,
    prices,
    log,
  });
  return {
    ...engine,
    close: async (graceMs) => {
      await engine.close(graceMs);
      await store.close();
    },
  };
}

function defaultsOf({ provider, defaults, ollama, anthropic }: Config): EngineDefaults {
  const byProvider: Record<ProviderName, CallDefaults> = {
    openai: {
      model: defaults.model ?? undefined,
      background: defaults.background,
      temperature: defaults.temperature ?? undefined,
    },
    ollama: {
      model: ollama.model ?? undefined,
      background: false,
      temperature: ollama.temperature ?? undefined,
      timeoutMs: ollama.timeoutMs,
    },
    anthropic: {
      model: anthropic.model ?? undefined,
      background: false,
      timeoutMs: anthropic.timeoutMs ?? undefined,
    },
    // Who answers is for the person to say.
    manual: { model: "manual", background: false },
  };
  return { ...byProvider[provider], provider, others: byProvider };
}

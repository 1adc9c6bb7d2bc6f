/** Where the parts meet. All of them are loaded here and not before: a host's first question needs none. */
import type { Config } from "../config.ts";
import type { Engine } from "../engine/engine.ts";
import type { Log } from "../engine/log.ts";
import { silentLog } from "../engine/log.ts";
import type { Provider } from "../providers/provider.ts";

/** An engine on the configured store; its `close` closes the store as well. */
export async function openEngine(config: Config, log: Log): Promise<Engine> {
  const { createProviders } = await import("../providers/registry.ts");
  return engineWith(
    createProviders({ openai: config.openai, policy: config.policy, log }, [config.provider]),
    config,
    log,
  );
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
  const engine = createEngine({ store, providers, defaults: defaultsOf(config), policy: config.policy, log });
  return {
    ...engine,
    close: async (graceMs) => {
      await engine.close(graceMs);
      await store.close();
    },
  };
}

function defaultsOf({ provider, defaults }: Config) {
  return {
    provider,
    model: defaults.model ?? undefined,
    background: defaults.background,
    temperature: defaults.temperature ?? undefined,
  };
}

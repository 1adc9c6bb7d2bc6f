/** Who can answer: one line in `makers` for each provider. */
import { ClaimcheckError } from "../contract/errors.ts";
import type { Policy } from "../contract/policy.ts";
import { createAnthropicProvider } from "./anthropic/anthropic.ts";
import { createManualProvider } from "./manual/manual.ts";
import { createOllamaProvider } from "./ollama/ollama.ts";
import { createOpenAIProvider } from "./openai/openai.ts";
import type { Provider } from "./provider.ts";

/** Providers that exist. The default comes first. */
export const providerNames = ["openai", "ollama", "anthropic", "manual"] as const;
export type ProviderName = (typeof providerNames)[number];

export interface ProvidersConfig {
  openai: {
    apiKey: string | null;
    baseUrl: string;
    organization?: string | null;
    project?: string | null;
  };
  /** `timeoutMs`: how long the first byte may take. */
  ollama: { baseUrl: string; numCtx: number; timeoutMs: number };
  anthropic: { apiKey: string | null; baseUrl: string; timeoutMs: number | null };
  /** Watchdogs and limits are those of the policy. */
  policy: Pick<Policy, "firstByteMs" | "idleMs" | "maxResultBytes">;
  log?: { event(name: string, fields: Record<string, unknown>): void } | undefined;
}

const makers: Record<ProviderName, (config: ProvidersConfig) => Provider> = {
  openai: ({ openai, policy, log }) =>
    createOpenAIProvider({ ...openai, ...shared(policy), apiKey: openai.apiKey ?? "", log }),
  ollama: ({ ollama: { timeoutMs, ...ollama }, policy, log }) =>
    createOllamaProvider({
      ...ollama,
      ...shared(policy),
      firstByteMs: timeoutMs,
      log,
    }),
  anthropic: ({ anthropic: { timeoutMs: _, ...anthropic }, policy, log }) =>
    createAnthropicProvider({ ...anthropic, ...shared(policy), apiKey: anthropic.apiKey ?? "", log }),
  manual: createManualProvider,
};

function shared({ firstByteMs, idleMs, maxResultBytes }: ProvidersConfig["policy"]) {
  const limits = { textBytes: Math.floor(maxResultBytes / 2), eventBytes: maxResultBytes * 8 };
  return { firstByteMs, idleMs, limits };
}

/**
 * The providers named, ready to use, by name.
 *
 * @throws {ClaimcheckError} `config_invalid` for a name that is none; `key_missing`, `config_invalid` of a provider
 */
export function createProviders(
  config: ProvidersConfig,
  names: readonly string[] = providerNames,
): ReadonlyMap<ProviderName, Provider> {
  return new Map(names.map(providerNamed).map((name) => [name, makers[name](config)]));
}

/** The provider's name that a setting means; an empty setting means the default. */
export function providerNamed(setting: string): ProviderName {
  if (setting === "") return providerNames[0];
  const name = providerNames.find((known) => known === setting);
  if (name !== undefined) return name;
  throw new ClaimcheckError(
    "config_invalid",
    `There is no provider ${JSON.stringify(setting.slice(0, 64))}. Use one of: ${providerNames.join(", ")}.`,
    { details: { provider: setting.slice(0, 64), valid: providerNames } },
  );
}

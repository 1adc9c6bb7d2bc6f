/** From a session's defaults and a call's overrides to what is really asked for. Pure. */
import { ClaimcheckError } from "../contract/errors.ts";
import { type Policy, policyKnobs } from "../contract/policy.ts";
import type { EffectiveSettings, Settings } from "../contract/settings.ts";

/** What a provider's calls are made with where neither call nor session says; undefined means there is no default. */
export interface CallDefaults {
  model?: string | undefined;
  background?: boolean | undefined;
  temperature?: number | undefined;
  timeoutMs?: number | undefined;
}

/** The default provider with its defaults, and those of the others by name. */
export interface EngineDefaults extends CallDefaults {
  provider: string;
  others?: Readonly<Record<string, CallDefaults>> | undefined;
}

export function defaultsFor(provider: string, defaults: EngineDefaults): CallDefaults {
  return provider === defaults.provider ? defaults : (defaults.others?.[provider] ?? {});
}

export function effectiveSettings(
  session: Settings,
  call: Settings,
  defaults: CallDefaults & { provider: string },
  policy: Policy,
): EffectiveSettings {
  const merged = { ...session, ...withoutUndefined(call) };
  const model = merged.model ?? defaults.model;
  if (model === undefined) throw modelRequired(defaults.provider);
  return {
    ...merged,
    model,
    max_output_tokens: within(
      "max_output_tokens",
      merged.max_output_tokens ?? Math.min(policy.outputTokens, policy.maxOutputTokens),
      policy,
    ),
    timeout_ms: within(
      "timeout_ms",
      merged.timeout_ms ?? Math.min(defaults.timeoutMs ?? policy.timeoutMs, policy.maxTimeoutMs),
      policy,
    ),
    background: merged.background ?? defaults.background ?? true,
    ...(defaults.temperature !== undefined && { temperature: defaults.temperature }),
  };
}

function modelRequired(provider: string): ClaimcheckError {
  const variable = `${provider.toUpperCase()}_MODEL`;
  return new ClaimcheckError(
    "model_required",
    `No model is set, and none is picked silently since a model is a price. Pass \`model\` with the call, or set ${variable} for the server.`,
    { details: { fields: ["model"], variable } },
  );
}

/** A session's defaults are held to the same maxima as a call, when they are set and not only when they are used. */
export function checkDefaults({ max_output_tokens, timeout_ms }: Settings, policy: Policy): void {
  if (max_output_tokens !== undefined) within("max_output_tokens", max_output_tokens, policy);
  if (timeout_ms !== undefined) within("timeout_ms", timeout_ms, policy);
}

/** Which of the server's limits holds a field down. */
const limits = { max_output_tokens: "maxOutputTokens", timeout_ms: "maxTimeoutMs" } as const;

function within(field: keyof typeof limits, value: number, policy: Policy): number {
  const max = policy[limits[field]];
  if (value <= max) return value;
  const variable = policyKnobs[limits[field]].env;
  throw new ClaimcheckError(
    "limit_out_of_range",
    `${field} is ${value}, above the server's limit of ${max} (${variable}). Ask for ${max} or less.`,
    { details: { fields: [field], max, variable } },
  );
}

/** Absent and undefined mean the same to a caller; only what was given overrides. */
export function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

/** @param conversation bytes of the session's earlier turns, where they are sent again with each call */
export function checkInputSize(
  message: string,
  instructions: string | null,
  max: number,
  conversation = 0,
): void {
  const bytes = Buffer.byteLength(message) + Buffer.byteLength(instructions ?? "") + conversation;
  if (bytes <= max) return;
  const variable = policyKnobs.maxInputBytes.env;
  const [what, wayOut] =
    conversation === 0
      ? ["message and instructions are", "Send less: only the part that matters."]
      : [
          `message, instructions and the session's earlier turns (${conversation} bytes) are`,
          "This provider keeps no conversation, so all of it goes with each call: start a new session with what matters of it.",
        ];
  throw new ClaimcheckError(
    "input_too_large",
    `${what} ${bytes} bytes, the limit is ${max} (${variable}). ${wayOut}`,
    { details: { fields: ["message", "instructions"], bytes, max, variable } },
  );
}

/** From a session's defaults and a call's overrides to what is really asked for. Pure. */
import { ClaimcheckError } from "../contract/errors.ts";
import type { Policy } from "../contract/policy.ts";
import type { EffectiveSettings, Settings } from "../contract/settings.ts";

export interface EngineDefaults {
  provider: string;
  /** Used where neither call nor session names a model; undefined means there is none. */
  model?: string | undefined;
  background?: boolean | undefined;
  temperature?: number | undefined;
}

export function effectiveSettings(
  session: Settings,
  call: Settings,
  defaults: EngineDefaults,
  policy: Policy,
): EffectiveSettings {
  const merged = { ...session, ...withoutUndefined(call) };
  const model = merged.model ?? defaults.model;
  if (model === undefined) {
    throw new ClaimcheckError(
      "model_required",
      "No model is set, and none is picked silently since a model is a price. Pass `model` with the call, or set OPENAI_MODEL for the server.",
    );
  }
  return {
    ...merged,
    model,
    max_output_tokens: within(
      "max_output_tokens",
      merged.max_output_tokens ?? Math.min(policy.outputTokens, policy.maxOutputTokens),
      policy.maxOutputTokens,
    ),
    timeout_ms: within(
      "timeout_ms",
      merged.timeout_ms ?? Math.min(policy.timeoutMs, policy.maxTimeoutMs),
      policy.maxTimeoutMs,
    ),
    background: merged.background ?? defaults.background ?? true,
    ...(defaults.temperature !== undefined && { temperature: defaults.temperature }),
  };
}

/** A session's defaults are held to the same maxima as a call, when they are set and not only when they are used. */
export function checkDefaults({ max_output_tokens, timeout_ms }: Settings, policy: Policy): void {
  if (max_output_tokens !== undefined) within("max_output_tokens", max_output_tokens, policy.maxOutputTokens);
  if (timeout_ms !== undefined) within("timeout_ms", timeout_ms, policy.maxTimeoutMs);
}

function within(field: string, value: number, max: number): number {
  if (value <= max) return value;
  throw new ClaimcheckError(
    "limit_out_of_range",
    `${field} is ${value}, above the configured maximum of ${max}. Ask for ${max} or less, or raise the maximum in the server's environment.`,
    { details: { fields: [field], max } },
  );
}

/** Absent and undefined mean the same to a caller; only what was given overrides. */
export function withoutUndefined<T extends object>(given: T): T {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
}

export function checkInputSize(message: string, instructions: string | null, max: number): void {
  const bytes = Buffer.byteLength(message) + Buffer.byteLength(instructions ?? "");
  if (bytes <= max) return;
  throw new ClaimcheckError(
    "input_too_large",
    `Message and instructions are ${bytes} bytes, the limit is ${max} (CLAIMCHECK_MAX_INPUT_BYTES). Send less: only the part that matters.`,
    { details: { bytes, max } },
  );
}

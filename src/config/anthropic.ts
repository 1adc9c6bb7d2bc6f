/** Where Anthropic's API is, and who asks. */
import { duration, endpoint, headerText, textUpTo } from "./parsers.ts";
import type { Reader } from "./reader.ts";

export interface AnthropicConfig {
  apiKey: string | null;
  baseUrl: string;
  model: string | null;
  /** Deadline of a request; ms. */
  timeoutMs: number | null;
}

export const anthropicBaseUrl = "https://api.anthropic.com";
export const anthropicTimeoutRange = { min: 1_000, max: 3_600_000 } as const;

export const anthropicKeyMissing =
  "ANTHROPIC_API_KEY is required with the anthropic provider; let the host pass it on.";

export function readAnthropic(reader: Reader): AnthropicConfig {
  return {
    apiKey: reader.read("ANTHROPIC_API_KEY", headerText(4_096)),
    baseUrl: reader.read("ANTHROPIC_BASE_URL", endpoint) ?? anthropicBaseUrl,
    model: reader.read("ANTHROPIC_MODEL", textUpTo(256)),
    timeoutMs: reader.read("ANTHROPIC_TIMEOUT", duration(anthropicTimeoutRange)),
  };
}

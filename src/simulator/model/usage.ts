import type { Usage } from "./api-types.ts";

/** The usual rule of thumb; what matters is that longer texts and longer chains cost more. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

export function usageOf(inputTokens: number, textTokens: number, reasoningTokens: number): Usage {
  const outputTokens = textTokens + reasoningTokens;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

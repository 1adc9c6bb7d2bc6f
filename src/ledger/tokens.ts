/** What a call took and gave, counted in tokens, whatever names a provider has for it. */
import * as z from "zod";

export interface Tokens {
  /** All that was read, what came from a cache or went into one included. */
  input: number;
  cachedInput: number;
  cacheWrite: number;
  /** All that was written, reasoning included. */
  output: number;
  reasoning: number;
}

const count = z.number().int().nonnegative();
const orNone = count.nullish().transform((given) => given ?? 0);

/** OpenAI's Responses API: the details are parts of the whole. */
const openai = z
  .object({
    input_tokens: count,
    output_tokens: count,
    input_tokens_details: z.object({ cached_tokens: orNone, cache_write_tokens: orNone }).nullish(),
    output_tokens_details: z.object({ reasoning_tokens: orNone }).nullish(),
  })
  .transform(
    ({ input_tokens, output_tokens, input_tokens_details, output_tokens_details }): Tokens => ({
      input: input_tokens,
      cachedInput: input_tokens_details?.cached_tokens ?? 0,
      cacheWrite: input_tokens_details?.cache_write_tokens ?? 0,
      output: output_tokens,
      reasoning: output_tokens_details?.reasoning_tokens ?? 0,
    }),
  );

/** Anthropic's Messages API: what came from a cache or went into one is counted beside the rest. */
const anthropic = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: orNone,
    cache_read_input_tokens: orNone,
  })
  .transform(
    ({ input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens }): Tokens => ({
      input: input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
      cachedInput: cache_read_input_tokens,
      cacheWrite: cache_creation_input_tokens,
      output: output_tokens,
      reasoning: 0,
    }),
  );

/** Ollama's chat API: a prompt that was read before is not counted at all. */
const ollama = z.object({ prompt_eval_count: orNone, eval_count: count }).transform(
  ({ prompt_eval_count, eval_count }): Tokens => ({
    input: prompt_eval_count,
    cachedInput: 0,
    cacheWrite: 0,
    output: eval_count,
    reasoning: 0,
  }),
);

/** The counts in a provider's own usage object; null where it says none that are known here. */
export function tokensOf(usage: Readonly<Record<string, unknown>> | null): Tokens | null {
  if (usage === null) return null;
  const besideTheRest = "cache_read_input_tokens" in usage || "cache_creation_input_tokens" in usage;
  const known = [besideTheRest ? anthropic : openai, ollama].map((schema) => schema.safeParse(usage));
  return known.find(({ success }) => success)?.data ?? null;
}

export const noTokens: Tokens = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0, reasoning: 0 };

export function added(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input + b.input,
    cachedInput: a.cachedInput + b.cachedInput,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
  };
}

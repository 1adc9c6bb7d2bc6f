import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import type { PaidCall } from "../provider.ts";

/**
 * The body of the paid call. Options go upstream only when given. `store` is said aloud, since some projects keep
 * a background response past ten minutes only then.
 */
export function paidBody(call: PaidCall): ResponseCreateParamsStreaming {
  const { model, background, max_output_tokens, reasoning_effort, verbosity, temperature } = call.settings;
  return {
    model,
    input: call.message,
    ...(call.instructions !== null && { instructions: call.instructions }),
    ...(call.previousResponseId !== null && { previous_response_id: call.previousResponseId }),
    store: true,
    ...(background && { background }),
    stream: true,
    max_output_tokens,
    ...(reasoning_effort !== undefined && { reasoning: { effort: reasoning_effort } }),
    ...(verbosity !== undefined && { text: { verbosity } }),
    ...(temperature !== undefined && { temperature }),
    metadata: { claimcheck_request_id: call.requestId },
  };
}

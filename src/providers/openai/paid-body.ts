import type { ResponseCreateParamsStreaming, ResponseTextConfig } from "openai/resources/responses/responses";
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
    ...textOf(verbosity, call.format),
    ...(temperature !== undefined && { temperature }),
    metadata: { claimcheck_request_id: call.requestId },
  };
}

function textOf(verbosity: PaidCall["settings"]["verbosity"], format: PaidCall["format"]) {
  if (verbosity === undefined && format === null) return {};
  const text: ResponseTextConfig = {
    ...(verbosity !== undefined && { verbosity }),
    ...(format !== null && {
      format: { type: "json_schema", strict: true, name: format.name, schema: { ...format.schema } },
    }),
  };
  return { text };
}

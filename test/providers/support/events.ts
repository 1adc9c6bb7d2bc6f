/** Events of a Responses stream, as a server would send them. */
type Fields = Record<string, unknown>;

export const responseId = "resp_test";

export function response(status: string, fields: Fields = {}) {
  return {
    id: responseId,
    object: "response",
    status,
    model: "gpt-sim-2026",
    store: true,
    background: true,
    previous_response_id: null,
    output: [],
    ...fields,
  };
}

export const created = (fields: Fields = {}) => ({
  type: "response.created",
  response: response("in_progress", fields),
});
export const inProgress = () => ({ type: "response.in_progress", response: response("in_progress") });
export const completed = (fields: Fields = {}) => ({
  type: "response.completed",
  response: response("completed", fields),
});
export const itemAdded = (output_index: number, item: Fields) => ({
  type: "response.output_item.added",
  output_index,
  item,
});
export const delta = (text: string, output_index = 0, content_index = 0) => ({
  type: "response.output_text.delta",
  item_id: `msg_${output_index}`,
  output_index,
  content_index,
  delta: text,
});

export const message = (...content: Fields[]) => ({
  type: "message",
  id: "msg_0",
  role: "assistant",
  content,
});
export const textPart = (text: string, annotations: Fields[] = []) => ({
  type: "output_text",
  text,
  annotations,
});
export const refusalPart = (refusal: string) => ({ type: "refusal", refusal });
export const usage = {
  input_tokens: 7,
  output_tokens: 11,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 18,
};

/** An answer told in these deltas, numbered from 0. */
export function answer(...deltas: string[]) {
  const text = deltas.join("");
  return numbered([
    created(),
    inProgress(),
    itemAdded(0, message()),
    ...deltas.map((part) => delta(part)),
    completed({ output: [message(textPart(text))], usage }),
  ]);
}

export function numbered<E extends Fields>(events: readonly E[]) {
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

export function sse(events: readonly object[]): string {
  return events
    .map((event) => `event: ${"type" in event ? event.type : ""}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

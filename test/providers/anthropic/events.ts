/** Streams as Anthropic's documentation shows them ("Streaming messages", platform.claude.com/docs). */

interface Shape {
  model?: string;
  stop?: string | null;
  usage?: object;
}

const sse = (event: { type: string; [field: string]: unknown }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

export const started = ({ model = "claude-sim", usage = {} }: Shape = {}) =>
  sse({
    type: "message_start",
    message: {
      id: "msg_1nZdL29xx5MUA1yADyHTEsnR8uuvGzszyY",
      type: "message",
      role: "assistant",
      content: [],
      model,
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 25,
        cache_read_input_tokens: 0,
        output_tokens: 1,
        service_tier: "standard",
        ...usage,
      },
    },
  });

export const words = (text: string) =>
  [
    sse({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    sse({ type: "ping" }),
    ...(text.match(/\S+\s*/g) ?? []).map((word) =>
      sse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: word } }),
    ),
    sse({ type: "content_block_stop", index: 0 }),
  ].join("");

export const stopped = ({ stop = "end_turn" }: Shape = {}) =>
  sse({
    type: "message_delta",
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: 15 },
  }) + sse({ type: "message_stop" });

export const answerOf = (text: string, shape: Shape = {}) => started(shape) + words(text) + stopped(shape);

export const errorEvent = (type: string, message: string) => sse({ type: "error", error: { type, message } });

export const apiError = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
  request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
});

export const other = (event: { type: string; [field: string]: unknown }) => sse(event);

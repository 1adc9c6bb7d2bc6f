import * as z from "zod";

const citation = z.strictObject({ url: z.string(), title: z.string() });

/** What the model says. Without any of it: `You said: …`, or the code word asked for. */
export const outputSchema = z.strictObject({
  /** The text; or a made-up one of so many UTF-16 units, emoji included; or `null`: no message at all. */
  text: z.union([z.string(), z.strictObject({ chars: z.int().min(0).max(4_000_000) }), z.null()]).optional(),
  /** Characters in each delta; by default a delta is a word. */
  deltaChars: z.int().min(1).optional(),
  /** A message before the answer, phase `commentary`; the answer's phase is then `final_answer`. */
  commentary: z.string().optional(),
  /** `url_citation` annotations over the whole text. */
  citations: z.array(citation).optional(),
  /** A refusal part in place of the text. */
  refusal: z.string().optional(),
  /** A function call in place of the text. */
  functionCall: z.strictObject({ name: z.string(), arguments: z.string() }).optional(),
  /** Spent before the first word; adds a reasoning item. */
  reasoningTokens: z.int().min(0).optional(),
});

/** How generation ends; by default `completed`, with everything said. */
export const endingSchema = z.strictObject({
  status: z.enum(["completed", "incomplete", "failed"]).optional(),
  /** Deltas said before the end: by default all of them, and none where it failed. */
  afterDeltas: z.int().min(0).optional(),
  /** Of an incomplete one: `max_output_tokens` (default), `content_filter` or any other. */
  reason: z.string().optional(),
  /** Of a failure or an error event; `server_error` by default. */
  code: z.string().optional(),
  message: z.string().optional(),
  /** An `error` event first, its fields in the event itself or, as api.openai.com sends it, in `error: {…}`. */
  errorEvent: z.enum(["flat", "nested"]).optional(),
  /** `false`: the stream ends without the terminal event; a GET knows how the response ended. */
  terminalEvent: z.literal(false).optional(),
  /** The terminal event is called `response.completed` whatever the status it carries. */
  namedCompleted: z.literal(true).optional(),
  /** The terminal event's response has neither `output` nor `usage`; a GET has both. */
  bare: z.literal(true).optional(),
});

/** Events put in after the first delta. */
export const noiseSchema = z.strictObject({
  /** So many `keepalive` events. */
  keepalive: z.int().min(1).max(10_000).optional(),
  /** So many events of a type nobody knows. */
  unknown: z.int().min(1).max(10_000).optional(),
  /** One event of an unknown type with a field of so many MiB. */
  oversizedMiB: z.number().min(0).max(64).optional(),
});

export type Output = z.input<typeof outputSchema>;
export type Ending = z.input<typeof endingSchema>;
export type Noise = z.input<typeof noiseSchema>;

import * as z from "zod";

/**
 * Where and how a stream breaks off. What was to be sent after that place never is; a background response goes on
 * without its reader, a foreground one is lost with it.
 */
export const cutSchema = z.strictObject({
  /**
   * - `{event: n}`: after n events (0: after the headers); `{delta: n}`: after the nth delta; `{byte: n}`: after n bytes;
   * - `"created"`: after `response.created`;
   * - `"last_delta"`: all text sent, its `…done` events not; `"before_terminal"`: all sent but the terminal event;
   * - `"inside_character"`: between two bytes of the first non-ASCII character of a delta (the text must have one).
   */
  after: z.union([
    z.enum(["created", "last_delta", "before_terminal", "inside_character"]),
    z.strictObject({ event: z.int().min(0) }),
    z.strictObject({ delta: z.int().min(1) }),
    z.strictObject({ byte: z.int().min(0) }),
  ]),
  /**
   * - `"eof"`: the body ends properly, as if that were all; `"fin"`: the socket is closed inside the chunked body;
   * - `"reset"`: the socket is reset; `"silence"`: the socket stays open and nothing comes any more. The response is
   *   finished in silence, in the foreground too, unless a `hold` keeps it.
   */
  how: z.enum(["eof", "fin", "reset", "silence"]),
  /**
   * How long after the last bytes a `fin` or `reset` follows, 50 ms by default: a reader whose stream breaks throws away
   * what it has not read yet. Where that is too vague, hold at `"cut"`.
   */
  graceMs: z.int().min(0).optional(),
  /** A foreground response was finished and stored just before the connection broke. */
  finished: z.literal(true).optional(),
});

/** How events are put on the wire, for the first stream of a response and for each resumed one. */
export const wireSchema = z.strictObject({
  lineEnding: z.enum(["crlf", "cr"]).optional(),
  /** The stream starts with a byte order mark. */
  bom: z.literal(true).optional(),
  /** A comment line before every event, as proxies send to keep a connection open. */
  comments: z.literal(true).optional(),
  /** `id:` and `retry:` lines in every event. */
  idAndRetry: z.literal(true).optional(),
  /** `false`: `data:` lines only. */
  eventLines: z.literal(false).optional(),
  /** `false`: no event has a `sequence_number`. */
  sequenceNumbers: z.literal(false).optional(),
  /** `false`: the stream ends without the blank line that ends its last event. */
  finalBlankLine: z.literal(false).optional(),
  /** Every event that carries the response shows another id; only the first one can be retrieved. */
  rotatingIds: z.literal(true).optional(),
  /** Before the first delta, an event whose `data:` stops in the middle of its JSON. */
  badJson: z.literal(true).optional(),
  /** `data: [DONE]` after the last event. */
  doneMarker: z.literal(true).optional(),
  /** The connection stays open after the last event, until the reader leaves. */
  keepOpen: z.literal(true).optional(),
  gzip: z.literal(true).optional(),
  /** `"burst"`: everything in one write at the end, as a buffering proxy does; `"bytes"`: one write for every byte. */
  writes: z.enum(["burst", "bytes"]).optional(),
});

export type Cut = z.input<typeof cutSchema>;
export type Wire = z.input<typeof wireSchema>;

import * as z from "zod";

/** An HTTP error in the API's envelope, or, with `html`, as a gateway in between would word it. */
const errorReply = z.strictObject({
  status: z.int().min(400).max(599),
  message: z.string().optional(),
  type: z.string().optional(),
  code: z.string().nullable().optional(),
  param: z.string().nullable().optional(),
  /** The `Retry-After` header, in seconds. */
  retryAfterS: z.number().min(0).optional(),
  /** The `retry-after-ms` header. */
  retryAfterMs: z.number().min(0).optional(),
  /** An HTML page instead of the envelope, and no `x-request-id`: the API never saw the call. */
  html: z.literal(true).optional(),
});

/**
 * An answer given in place of the right one:
 * - a number, such as `503`: the API's envelope with that status and its usual wording;
 * - an object: the same, with every field to choose;
 * - `"reset"`: the connection is reset (RST) before a byte; `"hangup"`: it is closed (FIN) before a byte;
 * - `"html"`: 200 with a web page; `"empty"`: 200 with no body; `"malformed_json"`: 200 with half a JSON document.
 */
export const replySchema = z.union([
  z.int().min(400).max(599),
  errorReply,
  z.enum(["reset", "hangup", "html", "empty", "malformed_json"]),
]);

export type ErrorReply = z.output<typeof errorReply>;
export type Reply = z.input<typeof replySchema>;

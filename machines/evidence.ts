/** What is known of an attempt or an answer: the payloads that events carry. */
import * as z from "zod";

/** Stable names for why a request has no answer. Callers act on these; they are never renamed. */
export const failureCodes = [
  "not_sent",
  "connection_failed",
  "rate_limited",
  "quota_exhausted",
  "authentication_failed",
  "model_unavailable",
  "option_rejected",
  "predecessor_missing",
  "request_rejected",
  "upstream_unavailable",
  "upstream_failed",
  "response_missing",
] as const;

/**
 * Why something did not work. Upstream's free text has no place here: it can echo the prompt.
 * `status` is the HTTP status, `retryAfterS` seconds as upstream asked for, `cause` a system error code
 * such as `ECONNREFUSED` or the name of our own watchdog.
 */
export const failureSchema = z.object({
  code: z.enum(failureCodes),
  status: z.number().int().optional(),
  upstreamCode: z.string().max(128).optional(),
  upstreamParam: z.string().max(256).optional(),
  upstreamRequestId: z.string().max(128).optional(),
  retryAfterS: z.number().nonnegative().optional(),
  cause: z.string().max(64).optional(),
});
export type Failure = z.infer<typeof failureSchema>;

/** How contact was lost after the call may have left. None of these says whether upstream did the work. */
export const lossCauses = [
  "reset",
  "ended",
  "first_byte_timeout",
  "idle",
  "deadline",
  "not_a_stream",
  "gateway_error",
  "conflict",
  "stream_error",
  "oversized",
  "malformed",
  "shutdown",
] as const;
export type LossCause = (typeof lossCauses)[number];

/** What upstream said of our options when it accepted the call; absent means it said nothing. */
export const echoSchema = z.object({
  store: z.boolean().optional(),
  background: z.boolean().optional(),
  previousResponseId: z.string().nullable().optional(),
});
export type Echo = z.infer<typeof echoSchema>;

export const usageSchema = z.record(z.string(), z.unknown());

export const citationSchema = z.object({
  url: z.string(),
  title: z.string().nullable(),
});
export type Citation = z.infer<typeof citationSchema>;

/**
 * The normalised answer. `text` and `refusal` are UTF-16 strings already cut to the result limit;
 * `fullChars` is the length before the cut, so `truncated` is never silent. `usage` is upstream's own object.
 */
export const outcomeSchema = z.object({
  responseId: z.string(),
  model: z.string().nullable(),
  text: z.string(),
  refusal: z.string().nullable(),
  reason: z.string().max(64).nullable(),
  usage: usageSchema.nullable(),
  citations: z.array(citationSchema),
  /** Kinds of output items upstream produced, e.g. `message`, `function_call`. */
  kinds: z.array(z.string()),
  fullChars: z.number().int().nonnegative(),
  truncated: z.boolean(),
  /** Upstream did not read all of the prompt, and said so or let it be seen. */
  promptTruncated: z.boolean().optional(),
  serviceTier: z.string().nullable(),
  echo: echoSchema,
});
export type Outcome = z.infer<typeof outcomeSchema>;

/** Everything that can happen to a request. Events are facts, named `source.happened`; `at` is wall time in ms. */
import * as z from "zod";
import { echoSchema, failureSchema, lossCauses, outcomeSchema } from "./evidence.ts";

const at = z.number().int();
const settled = { at, outcome: outcomeSchema };

export const requestEventSchema = z.discriminatedUnion("type", [
  /** Provably not started. `retryAt` is when another attempt could go out, null where it should not. */
  z.object({
    type: z.literal("upstream.unstarted"),
    at,
    failure: failureSchema,
    retryAt: z.number().int().nullable(),
  }),
  z.object({ type: z.literal("upstream.rejected"), at, failure: failureSchema }),
  z.object({
    type: z.literal("upstream.accepted"),
    at,
    responseId: z.string(),
    model: z.string().nullable(),
    sequence: z.number().int().nullable(),
    echo: echoSchema,
  }),
  z.object({
    type: z.literal("upstream.lost"),
    at,
    cause: z.enum(lossCauses),
    status: z.number().int().optional(),
    upstreamRequestId: z.string().max(128).optional(),
  }),
  z.object({ type: z.literal("upstream.completed"), ...settled }),
  z.object({ type: z.literal("upstream.refused"), ...settled }),
  z.object({ type: z.literal("upstream.incomplete"), ...settled }),
  z.object({ type: z.literal("upstream.failed"), at, outcome: outcomeSchema, failure: failureSchema }),
  z.object({ type: z.literal("upstream.cancelled"), ...settled }),
  z.object({ type: z.literal("retry.due"), at }),
  z.object({ type: z.literal("deadline.passed"), at }),
  z.object({ type: z.literal("stream.stopped"), ...settled }),
  z.object({ type: z.literal("stream.reattached"), at }),
  z.object({ type: z.literal("lease.expired"), at }),
  z.object({ type: z.literal("retrieval.pending"), at, status: z.string().max(32) }),
  z.object({ type: z.literal("retrieval.faulted"), at, failure: failureSchema }),
  z.object({ type: z.literal("retrieval.missing"), at }),
  z.object({ type: z.literal("cancel.faulted"), at, failure: failureSchema }),
  z.object({ type: z.literal("caller.cancelled"), at }),
  z.object({ type: z.literal("caller.abandoned"), at }),
  z.object({
    type: z.literal("caller.attached"),
    at,
    responseId: z.string(),
    model: z.string().nullable(),
    echo: echoSchema,
  }),
]);

export type RequestEvent = z.infer<typeof requestEventSchema>;
export type RequestEventType = RequestEvent["type"];

/** The same event before the engine's door stamps the time on it. */
export type Unstamped<E extends RequestEvent = RequestEvent> = E extends RequestEvent ? Omit<E, "at"> : never;

/**
 * On whose word an event may be written.
 *
 * - `owner`: only by the process that holds the lease now; from anyone else it is stale and dropped.
 * - `upstream`: a fact about the paid call, true whoever brings it; a stale bringer reloads and decides again.
 * - `caller`: a wish; a stale one is decided again on what the record has become.
 * - `successor`: takes the work over, so it moves the epoch.
 */
export const eventAuthority = {
  "upstream.unstarted": "upstream",
  "upstream.rejected": "upstream",
  "upstream.accepted": "upstream",
  "upstream.lost": "owner",
  "upstream.completed": "upstream",
  "upstream.refused": "upstream",
  "upstream.incomplete": "upstream",
  "upstream.failed": "upstream",
  "upstream.cancelled": "upstream",
  "retry.due": "owner",
  "deadline.passed": "owner",
  "stream.stopped": "owner",
  "stream.reattached": "successor",
  "lease.expired": "successor",
  "retrieval.pending": "upstream",
  "retrieval.faulted": "upstream",
  "retrieval.missing": "upstream",
  "cancel.faulted": "upstream",
  "caller.cancelled": "caller",
  "caller.abandoned": "caller",
  "caller.attached": "caller",
} as const satisfies Record<RequestEventType, "owner" | "upstream" | "caller" | "successor">;

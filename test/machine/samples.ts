/** One payload at least for every event, and one for each way its guards can decide. */
import type { RequestEvent } from "../../machines/events.ts";
import type { Echo, Failure, Outcome } from "../../machines/evidence.ts";
import { type RequestInput, readLagMs } from "../../machines/request.ts";

export const predecessor = "resp_before";
export const start = 1_000_000;
export const soon = start + 500;
export const deadline = start + 120_000;
/** Long enough after `start` for read lag to be over. */
export const later = start + readLagMs;

export const firstTurn: RequestInput = {
  background: true,
  retrievable: true,
  predecessor: null,
  deadlineAt: deadline,
  predecessorRetryUntil: 0,
  maxAttempts: 2,
};

/** What a request may start from: one for each capability that guards ask about. */
export const profiles: Readonly<Record<string, RequestInput>> = {
  "a first turn": firstTurn,
  "a provider that keeps nothing": { ...firstTurn, background: false, retrievable: false },
  "a later turn on a young predecessor": {
    ...firstTurn,
    predecessor,
    predecessorRetryUntil: start + 30_000,
  },
  "a request that may try once": { ...firstTurn, maxAttempts: 1 },
  "a call in the foreground that may try three times": { ...firstTurn, background: false, maxAttempts: 3 },
};

export function outcome(changes: Partial<Outcome> = {}): Outcome {
  return {
    responseId: "resp_1",
    model: "a-model",
    text: "The answer.",
    refusal: null,
    reason: null,
    usage: { input_tokens: 3, output_tokens: 2 },
    citations: [],
    kinds: ["message"],
    fullChars: 11,
    truncated: false,
    serviceTier: null,
    echo: { store: true, background: true, previousResponseId: predecessor },
    ...changes,
  };
}

const refusedConnection: Failure = { code: "connection_failed", cause: "ECONNREFUSED" };
const tooFast: Failure = { code: "rate_limited", status: 429 };
const stored: Echo = { store: true, background: true, previousResponseId: predecessor };

export const events: readonly RequestEvent[] = [
  { type: "upstream.unstarted", at: start, failure: refusedConnection, retryAt: soon },
  { type: "upstream.unstarted", at: start, failure: refusedConnection, retryAt: null },
  {
    type: "upstream.unstarted",
    at: start,
    failure: { ...tooFast, retryAfterS: 600 },
    retryAt: start + 600_000,
  },
  { type: "upstream.unstarted", at: start, failure: { code: "predecessor_missing" }, retryAt: soon },
  { type: "upstream.rejected", at: start, failure: { code: "option_rejected", status: 400 } },
  accepted(stored),
  accepted({ ...stored, background: false }),
  accepted({ store: false, background: false, previousResponseId: predecessor }),
  accepted({ store: true, background: true, previousResponseId: null }),
  accepted({}),
  { type: "upstream.lost", at: start, cause: "reset" },
  { type: "upstream.completed", at: start, outcome: outcome() },
  { type: "upstream.completed", at: start, outcome: outcome({ echo: {} }) },
  { type: "upstream.refused", at: start, outcome: outcome({ text: "", refusal: "No." }) },
  { type: "upstream.refused", at: start, outcome: outcome({ text: "", refusal: "No.", echo: {} }) },
  { type: "upstream.incomplete", at: start, outcome: outcome({ reason: "max_output_tokens" }) },
  { type: "upstream.failed", at: start, outcome: outcome(), failure: { code: "upstream_failed" } },
  { type: "upstream.cancelled", at: start, outcome: outcome({ reason: "cancelled" }) },
  { type: "retry.due", at: soon },
  { type: "retry.due", at: deadline },
  { type: "deadline.passed", at: deadline },
  { type: "stream.stopped", at: start, outcome: outcome({ reason: "cancelled" }) },
  { type: "stream.reattached", at: start },
  { type: "lease.expired", at: start },
  { type: "retrieval.pending", at: start, status: "in_progress" },
  { type: "retrieval.faulted", at: start, failure: tooFast },
  { type: "retrieval.missing", at: start },
  { type: "retrieval.missing", at: later },
  { type: "cancel.faulted", at: start, failure: { code: "upstream_unavailable", status: 500 } },
  { type: "caller.cancelled", at: start },
  { type: "caller.abandoned", at: start },
  { type: "caller.attached", at: start, responseId: "resp_found", model: null, echo: stored },
];

/** The first sample of a type; `changes` make it another of the same type. */
export function sample<T extends RequestEvent["type"]>(
  type: T,
  changes: Partial<Extract<RequestEvent, { type: T }>> = {},
): RequestEvent {
  const found = events.find((event) => event.type === type);
  if (found === undefined) throw new Error(`samples.ts has no ${type}`);
  return { ...found, ...changes };
}

function accepted(echo: Echo): RequestEvent {
  return { type: "upstream.accepted", at: start, responseId: "resp_1", model: "a-model", sequence: 0, echo };
}

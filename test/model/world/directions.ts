/**
 * What can be made to happen to a request from outside, event by event: what upstream is told to do, what a caller
 * wishes, whose clock is turned. `possible` says where the world can bring an event about at all; some the machine
 * would take have no way to happen there, and are sent straight to the engine's door by other tests.
 */
import type { RequestEvent } from "../../../machines/events.ts";
import type { Outcome } from "../../../machines/evidence.ts";
import { type RequestSnapshot, stateOf } from "../../../machines/snapshots.ts";
import type { Scenario } from "../../../src/simulator/simulator.ts";
import { deadline, later, outcome, predecessor, soon, start } from "../../machine/samples.ts";
import type { Life } from "./life.ts";

export interface Direction {
  /** What the machine is to hear, times and payloads as far as guards look at them. */
  event: RequestEvent;
  possible(before: RequestSnapshot): boolean;
  direct(life: Life): Promise<void>;
}

const isSending = ({ value }: RequestSnapshot) => typeof value === "object" && value.claimed === "sending";
const isDeferred = ({ value }: RequestSnapshot) => typeof value === "object" && value.claimed === "deferred";
const is = (state: string) => (before: RequestSnapshot) => stateOf(before) === state;

/** The call went out and upstream has not answered it, whoever owns the request by now. */
const isPosting = (before: RequestSnapshot) =>
  isSending(before) ||
  (is("unknown_outcome")(before) &&
    before.context.upstream === null &&
    before.context.lostTo === "owner_lost");

/** The owner stops a foreground stream the moment it is accepted, where the wish came first: nothing else can follow. */
const isBeingStopped = ({ value, context }: RequestSnapshot) =>
  value === "streaming" && context.cancel?.asking === "asked" && context.upstream?.background === false;

/** Somebody still reads the stream: the owner, or the one who lost its lease. */
const isStreamed = (before: RequestSnapshot) =>
  !isBeingStopped(before) &&
  (is("streaming")(before) ||
    (is("unknown_outcome")(before) &&
      before.context.upstream !== null &&
      before.context.lostTo === "owner_lost"));

/** Upstream goes on without a reader, so it can end there. */
const isCollected = (before: RequestSnapshot) =>
  is("recovery_required")(before) && before.context.upstream?.background === true;

const isRecovering = is("recovery_required");

const wordsIgnored = { previous_response_id: null };

/** How generation ends, in the simulator's words and in the machine's. */
const endings: readonly { part: Scenario; event(outcome: Outcome): RequestEvent }[] = [
  { part: {}, event: (it) => ({ type: "upstream.completed", at: start, outcome: it }) },
  {
    part: { output: { refusal: "No." } },
    event: (it) => ({ type: "upstream.refused", at: start, outcome: { ...it, text: "", refusal: "No." } }),
  },
  {
    part: { ending: { status: "incomplete", afterDeltas: 1 } },
    event: (it) => ({
      type: "upstream.incomplete",
      at: start,
      outcome: { ...it, reason: "max_output_tokens" },
    }),
  },
  {
    part: { ending: { status: "failed" } },
    event: (it) => ({
      type: "upstream.failed",
      at: start,
      outcome: it,
      failure: { code: "upstream_failed", upstreamCode: "server_error" },
    }),
  },
];

const wholeReplies: readonly Direction[] = [{}, wordsIgnored].flatMap((ignored) =>
  endings.map(({ part, event }) => ({
    event: event(
      outcome({ echo: "previous_response_id" in ignored ? {} : { previousResponseId: predecessor } }),
    ),
    possible: isPosting,
    direct: (life) => life.answerPost({ ...part, treatAs: { background: false, ...ignored }, reply: "json" }),
  })),
);

const lastEvents: readonly Direction[] = [true, false].flatMap((keptContext) =>
  endings.map(({ part, event }) => ({
    event: event(outcome(keptContext ? {} : { echo: {} })),
    possible: (before) =>
      (isStreamed(before) || isCollected(before)) &&
      before.context.upstream?.contextIgnored === (before.context.predecessor !== null && !keptContext),
    direct: (life) => life.endUpstream(part),
  })),
);

function refusing(event: RequestEvent, scenario: Scenario, possible = isPosting): Direction {
  return { event, possible, direct: (life) => life.answerPost(scenario) };
}

const quota = { status: 429, type: "insufficient_quota", code: "insufficient_quota" };
const noPredecessor = { status: 400, code: "previous_response_not_found", param: "previous_response_id" };

const refusals: readonly Direction[] = [
  refusing(
    { type: "upstream.unstarted", at: start, failure: { code: "rate_limited", status: 429 }, retryAt: soon },
    { reply: { status: 429, retryAfterMs: soon - start } },
  ),
  refusing(
    { type: "upstream.rejected", at: start, failure: { code: "quota_exhausted", status: 429 } },
    { reply: quota },
  ),
  refusing(
    {
      type: "upstream.unstarted",
      at: start,
      failure: { code: "rate_limited", status: 429, retryAfterS: 600 },
      retryAt: start + 600_000,
    },
    { reply: { status: 429, retryAfterS: 600 } },
  ),
  refusing(
    {
      type: "upstream.unstarted",
      at: start,
      failure: { code: "predecessor_missing", status: 400 },
      retryAt: soon,
    },
    { reply: noPredecessor },
    (before) => isPosting(before) && before.context.predecessor !== null,
  ),
  refusing(
    { type: "upstream.rejected", at: start, failure: { code: "request_rejected", status: 400 } },
    { reply: 400 },
  ),
  {
    event: { type: "upstream.lost", at: start, cause: "reset" },
    possible: isSending,
    direct: (life) => life.answerPost({ reply: "reset", hold: ["queued"] }),
  },
];

function accepting(background: boolean, store: boolean, keptContext: boolean): Direction {
  const echo = { store, background, previousResponseId: keptContext ? predecessor : null };
  return {
    event: { type: "upstream.accepted", at: start, responseId: "resp_1", model: "m", sequence: 0, echo },
    possible: (before) =>
      isPosting(before) &&
      (keptContext || before.context.predecessor !== null) &&
      (isSending(before) || (before.context.retrievable && (background || store))),
    direct: (life) =>
      life.answerPost({
        treatAs: { background, store, ...(keptContext ? {} : wordsIgnored) },
        // After two events: a background response that is left before its second one is lost upstream.
        hold: [background ? "queued" : "created"],
      }),
  };
}

const acceptances: readonly Direction[] = [true, false].flatMap((keptContext) => [
  accepting(true, true, keptContext),
  accepting(false, true, keptContext),
  accepting(false, false, keptContext),
]);

const times: readonly Direction[] = [
  {
    event: { type: "retry.due", at: soon },
    possible: isDeferred,
    direct: (life) => life.letTimePass(soon - start),
  },
  {
    event: { type: "retry.due", at: deadline },
    possible: isDeferred,
    direct: (life) => life.letTimePass(soon - start),
  },
  {
    event: { type: "deadline.passed", at: deadline },
    possible: (before) => isSending(before) || (is("streaming")(before) && !isBeingStopped(before)),
    direct: (life) => life.letTimePass(deadline - start),
  },
  {
    event: { type: "lease.expired", at: start },
    possible: (before) => before.hasTag("live") && !isBeingStopped(before),
    direct: (life) => life.loseOwner(),
  },
];

const losses: readonly Direction[] = [
  {
    event: { type: "upstream.lost", at: start, cause: "reset" },
    possible: (before) => is("streaming")(before) && !isBeingStopped(before),
    direct: (life) => life.severStream(),
  },
  {
    event: { type: "stream.stopped", at: start, outcome: outcome({ reason: "cancelled" }) },
    possible: isBeingStopped,
    direct: (life) => life.letTimePass(500),
  },
];

const mayReattach = ({ context }: RequestSnapshot) =>
  context.upstream?.background === true && context.cancel === null && context.lostTo !== "deadline";

function retrieving(event: RequestEvent, step: RetrieveStep, possible = isRecovering): Direction {
  return { event, possible, direct: (life) => life.answerRetrieval(step) };
}
type RetrieveStep = Parameters<Life["answerRetrieval"]>[0];

const retrievals: readonly Direction[] = [
  {
    event: { type: "stream.reattached", at: start },
    possible: (before) => isRecovering(before) && mayReattach(before),
    direct: (life) => life.reattach(),
  },
  retrieving({ type: "retrieval.pending", at: start, status: "in_progress" }, "in_progress", isCollected),
  retrieving({ type: "retrieval.faulted", at: start, failure: { code: "rate_limited", status: 429 } }, 429),
  retrieving({ type: "retrieval.missing", at: start }, "not_found"),
  retrieving({ type: "retrieval.missing", at: later }, "not_found"),
];

/** Upstream was asked to cancel and has not answered. */
const isCancelAsked = ({ context }: RequestSnapshot) =>
  context.cancel?.asking === "asked" && context.upstream?.background === true;

const wishes: readonly Direction[] = [
  {
    event: { type: "caller.cancelled", at: start },
    possible: (before) => before.hasTag("live") || isRecovering(before),
    direct: (life) => life.wish("cancel"),
  },
  {
    event: { type: "cancel.faulted", at: start, failure: { code: "upstream_unavailable", status: 503 } },
    possible: (before) => (is("streaming")(before) || isRecovering(before)) && isCancelAsked(before),
    direct: (life) => life.answerCancel(503),
  },
  {
    event: { type: "upstream.cancelled", at: start, outcome: outcome({ reason: "cancelled" }) },
    possible: (before) => isRecovering(before) && isCancelAsked(before),
    direct: (life) => life.answerCancel("normal"),
  },
  {
    event: { type: "caller.abandoned", at: start },
    possible: (before) => before.hasTag("unresolved"),
    direct: (life) => life.wish("abandon"),
  },
  {
    event: {
      type: "caller.attached",
      at: start,
      responseId: "resp_found",
      model: null,
      echo: { store: true, background: true, previousResponseId: predecessor },
    },
    possible: (before) =>
      is("unknown_outcome")(before) &&
      before.context.background &&
      before.context.upstream === null &&
      before.context.lostTo !== "deadline",
    direct: (life) => life.attach(),
  },
];

export const directions: readonly Direction[] = [
  ...refusals,
  ...acceptances,
  ...wholeReplies,
  ...times,
  ...losses,
  ...lastEvents,
  ...retrievals,
  ...wishes,
];

/**
 * The life of one paid request. Pure: no I/O, no clock, no randomness; time and ids arrive on events, and what
 * should be done about a step leaves as named effects. SPEC.md shows the same rows as a table, and a test
 * compares the two both ways.
 */
import { assign, setup } from "xstate";
import type { Effect, EffectType } from "./effects.ts";
import type { RequestEvent } from "./events.ts";
import type { Echo, Failure, Outcome } from "./evidence.ts";
import { type RequestState, stateCards } from "./states.ts";

/** Read lag seen upstream after a finished stream: up to 33 s (dotnet/extensions#7704); doubled for safety. */
export const readLagMs = 60_000;

/** An asking that had no outcome for this long died with whoever asked; a caller may wish again. */
export const cancelAskMs = 60_000;

export interface RequestInput {
  /** Whether upstream was asked to work in the background, where a lost connection loses nothing. */
  background: boolean;
  /** Whether this provider can be asked for a response again at all. */
  retrievable: boolean;
  /** Response id of the turn before, or null for the first turn. */
  predecessor: string | null;
  /** Wall time in ms after which the stream is given up; the answer is not. */
  deadlineAt: number;
  /** Until when a predecessor that cannot be found is worth another try; 0 when it is too old for read lag. */
  predecessorRetryUntil: number;
  maxAttempts: number;
}

/** What upstream gave us to ask by. */
interface UpstreamHandle {
  responseId: string;
  model: string | null;
  /** Sequence number of the last event committed, null where the server numbers nothing. */
  sequence: number | null;
  background: boolean;
  /** Whether a GET can find it later: upstream says it stores it, or runs it in the background. */
  retrievable: boolean;
  storeIgnored: boolean;
  contextIgnored: boolean;
}

/** The wish to cancel: `due` while somebody still has to ask upstream, `asked` once somebody set out to; `at` says when. */
interface CancelWish {
  at: number;
  asking: "due" | "asked";
}

export interface RequestContext extends RequestInput {
  attempts: number;
  upstream: UpstreamHandle | null;
  cancel: CancelWish | null;
  /** When a GET first said the response does not exist. */
  missingSince: number | null;
  failure: Failure | null;
  /** Why an answer is incomplete. */
  reason: string | null;
  /** What broke contact, when something did. */
  lostTo: string | null;
}

const noInput: RequestInput = {
  background: false,
  retrievable: false,
  predecessor: null,
  deadlineAt: 0,
  predecessorRetryUntil: 0,
  maxAttempts: 0,
};

type EventOf<T extends RequestEvent["type"]> = Extract<RequestEvent, { type: T }>;
type ParamsOf<T extends EffectType> = Omit<Extract<Effect, { type: T }>, "type">;

function askedLately({ cancel }: RequestContext, at: number): boolean {
  return cancel?.asking === "asked" && at - cancel.at < cancelAskMs;
}

/** An effect has a name, parameters and no body: running one here would be a bug, so it says so. */
function effect<T extends EffectType>() {
  return (_: unknown, _params: ParamsOf<T>): void => performedByTheEngine();
}

function performedByTheEngine(): never {
  throw new Error("Effects are performed by the engine, never by the machine.");
}

function handleFor(
  context: RequestContext,
  response: { responseId: string; model: string | null; echo: Echo },
) {
  const { store, background } = response.echo;
  return {
    responseId: response.responseId,
    model: response.model,
    sequence: null,
    background: background === true,
    retrievable: isRetrievable(context, response.echo),
    storeIgnored: store !== true,
    contextIgnored: ignoresContext(context, response.echo),
  } satisfies UpstreamHandle;
}

function isRetrievable(context: RequestContext, { store, background }: Echo): boolean {
  return context.retrievable && (store === true || background === true);
}

/** Silence counts as ignoring: a server that does not say it used the predecessor is not trusted to have done so. */
function ignoresContext(context: RequestContext, echo: Echo): boolean {
  return context.predecessor !== null && echo.previousResponseId !== context.predecessor;
}

const card = (state: RequestState) => ({
  description: stateCards[state].sentence,
  tags: [stateCards[state].phase],
});

const request = setup({
  types: {
    context: {} as RequestContext,
    events: {} as RequestEvent,
    input: {} as RequestInput,
    tags: {} as "live" | "unresolved" | "final",
    meta: {} as { onOwnerLost?: "lease.expired" | null },
  },
  guards: {
    mayRetry: ({ context }, { failure, retryAt }: { failure: Failure; retryAt: number | null }) =>
      retryAt !== null &&
      retryAt < context.deadlineAt &&
      context.attempts < context.maxAttempts &&
      context.cancel === null &&
      (failure.code !== "predecessor_missing" || retryAt <= context.predecessorRetryUntil),
    inTime: ({ context }, { at }: { at: number }) => at < context.deadlineAt,
    canBeFound: ({ context }, { echo }: { echo: Echo }) => isRetrievable(context, echo),
    wishOutlivesOwner: ({ context }) =>
      context.cancel !== null && context.upstream?.retrievable === true && context.upstream.background,
    wishAwaitsFinding: ({ context }, { echo }: { echo: Echo }) =>
      context.cancel !== null && isRetrievable(context, echo) && echo.background === true,
    canBeAsked: ({ context }) => context.upstream?.retrievable === true,
    cancelDueInBackground: ({ context }, next: { background: boolean }) =>
      context.cancel?.asking === "due" && next.background,
    cancelDueInForeground: ({ context }, next: { background: boolean }) =>
      context.cancel?.asking === "due" && !next.background,
    mayAskInBackground: ({ context }, { at }: { at: number }) =>
      !askedLately(context, at) && context.upstream?.background === true,
    mayAskInForeground: ({ context }, { at }: { at: number }) =>
      !askedLately(context, at) && context.upstream?.background !== true,
    firstWish: ({ context }) => context.cancel === null,
    wasMissing: ({ context }) => context.missingSince !== null,
    readLagOver: ({ context }, { at }: { at: number }) =>
      context.missingSince !== null && at - context.missingSince >= readLagMs,
    firstMiss: ({ context }) => context.missingSince === null,
    contextKept: ({ context }, { echo }: { echo: Echo }) =>
      context.upstream?.contextIgnored === false || !ignoresContext(context, echo),
    wasAskedToCancel: ({ context }) => context.cancel?.asking === "asked",
  },
  actions: {
    openStream: performedByTheEngine,
    awaitRetry: effect<"awaitRetry">(),
    recover: effect<"recover">(),
    cancelUpstream: effect<"cancelUpstream">(),
    stopStream: performedByTheEngine,
    keepResult: performedByTheEngine,
    advanceSession: effect<"advanceSession">(),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    keepFailure: assign({ failure: (_, { failure }: { failure: Failure }) => failure }),
    failUnsent: assign({
      failure: ({ context }): Failure => ({ ...context.failure, code: "not_sent" }),
    }),
    failMissing: assign({ failure: (): Failure => ({ code: "response_missing", status: 404 }) }),
    clearFailure: assign({ failure: null }),
    rememberResponse: assign({
      upstream: (
        { context },
        response: { responseId: string; model: string | null; echo: Echo; sequence?: number | null },
      ) => ({
        ...handleFor(context, response),
        sequence: response.sequence ?? null,
      }),
    }),
    /** The last word on the conversation is the answer's own: some servers name the predecessor only there. */
    rememberAnswer: assign({
      upstream: ({ context }, { outcome }: { outcome: Outcome }) => {
        const handle = context.upstream ?? { ...handleFor(context, outcome), sequence: null };
        const { responseId } = outcome;
        return {
          ...handle,
          responseId,
          contextIgnored: handle.contextIgnored && ignoresContext(context, outcome.echo),
        };
      },
    }),
    rememberLoss: assign({ lostTo: (_, { cause }: { cause: string }) => cause }),
    wishCancel: assign({ cancel: (_, { at }: { at: number }): CancelWish => ({ at, asking: "due" }) }),
    markCancelAsked: assign({ cancel: (_, { at }: { at: number }): CancelWish => ({ at, asking: "asked" }) }),
    markCancelDue: assign({
      cancel: ({ context }): CancelWish | null => context.cancel && { ...context.cancel, asking: "due" },
    }),
    rememberMiss: assign({ missingSince: (_, { at }: { at: number }) => at }),
    forgetMiss: assign({ missingSince: null }),
    keepReason: assign({ reason: (_, { reason }: { reason: string | null }) => reason }),
  },
});

const byAt = ({ event }: { event: { at: number } }) => ({ at: event.at });
const itsCause = ({ event }: { event: EventOf<"upstream.lost"> }) => ({ cause: event.cause });
const itsFailure = ({ event }: { event: { failure: Failure } }) => ({ failure: event.failure });
const itsResponse = ({ event }: { event: EventOf<"upstream.accepted"> | EventOf<"caller.attached"> }) =>
  event;
const itsBackground = ({ event }: { event: EventOf<"upstream.accepted"> }) => ({
  background: event.echo.background === true,
});
const responseEcho = ({ event }: { event: { echo: Echo } }) => ({ echo: event.echo });
const itsOutcome = ({ event }: { event: { outcome: Outcome } }) => ({ outcome: event.outcome });
const itsEcho = ({ event }: { event: { outcome: Outcome } }) => ({ echo: event.outcome.echo });
const itsReason = ({ event }: { event: { outcome: Outcome } }) => ({ reason: event.outcome.reason });
const answerId = ({ event }: { event: { outcome: Outcome } }) => ({ responseId: event.outcome.responseId });
const eventId = ({ event }: { event: { responseId: string } }) => ({ responseId: event.responseId });
const knownId = ({ context }: { context: RequestContext }) => ({
  responseId: context.upstream?.responseId ?? "",
});

/** A whole answer moves the session on, unless upstream ignored what the session was about. */
const answering = <T extends "#request.completed" | "#request.refused">(target: T) =>
  [
    {
      guard: { type: "contextKept", params: itsEcho },
      target,
      actions: [
        { type: "rememberAnswer", params: itsOutcome },
        "keepResult",
        { type: "advanceSession", params: answerId },
      ],
    },
    { target, actions: [{ type: "rememberAnswer", params: itsOutcome }, "keepResult"] },
  ] as const;

/** An answer, whichever way it came: the stream, a plain JSON reply, a GET, or a worker that was late. */
const settling = {
  "upstream.completed": answering("#request.completed"),
  "upstream.refused": answering("#request.refused"),
  "upstream.incomplete": {
    target: "#request.incomplete",
    actions: [
      { type: "rememberAnswer", params: itsOutcome },
      { type: "keepReason", params: itsReason },
      "keepResult",
    ],
  },
  "upstream.failed": {
    target: "#request.failed",
    actions: [
      { type: "rememberAnswer", params: itsOutcome },
      { type: "keepFailure", params: itsFailure },
      "keepResult",
    ],
  },
} as const;

const cancelled = {
  target: "#request.incomplete",
  actions: [{ type: "keepReason", params: itsReason }, "keepResult"],
} as const;

/** Losing contact: upstream is asked where it can be, otherwise nobody knows. */
const losing = <P>(cause: P) =>
  [
    {
      guard: "canBeAsked",
      target: "#request.recovery_required",
      actions: { type: "rememberLoss", params: cause },
    },
    { target: "#request.unknown_outcome", actions: { type: "rememberLoss", params: cause } },
  ] as const;

/** Nobody knows whether a lost owner still asked upstream to cancel; asking once more does no harm. */
const losingTheOwner = [
  {
    guard: "wishOutlivesOwner",
    target: "#request.recovery_required",
    actions: [
      { type: "rememberLoss", params: { cause: "owner_lost" } },
      { type: "markCancelAsked", params: byAt },
      { type: "cancelUpstream", params: knownId },
    ],
  },
  ...losing({ cause: "owner_lost" }),
] as const;

/** A response id for a call nobody knew the fate of: a wish to cancel made meanwhile can be carried out now. */
const finding = [
  {
    guard: { type: "wishAwaitsFinding", params: responseEcho },
    target: "recovery_required",
    actions: [
      "clearFailure",
      { type: "rememberResponse", params: itsResponse },
      { type: "markCancelAsked", params: byAt },
      { type: "cancelUpstream", params: eventId },
    ],
  },
] as const;
const found = ["clearFailure", { type: "rememberResponse", params: itsResponse }] as const;

const deadlineCause = { cause: "deadline" };
const ownerCause = { cause: "owner_lost" };

/** A caller's wish while upstream is known: a background response is cancelled there, a stream here. */
const cancelling = [
  {
    guard: { type: "mayAskInBackground", params: byAt },
    actions: [
      { type: "markCancelAsked", params: byAt },
      { type: "cancelUpstream", params: knownId },
    ],
  },
  {
    guard: { type: "mayAskInForeground", params: byAt },
    actions: [{ type: "markCancelAsked", params: byAt }, "stopStream"],
  },
] as const;

const sending = request.createStateConfig({
  description: "The call is on its way; nobody can say yet whether upstream has it.",
  meta: { onOwnerLost: "lease.expired" },
  entry: ["countAttempt", "openStream"],
  on: {
    ...settling,
    "upstream.unstarted": [
      {
        guard: { type: "mayRetry", params: ({ event }) => event },
        target: "deferred",
        actions: [
          { type: "keepFailure", params: itsFailure },
          { type: "awaitRetry", params: ({ event }) => ({ until: event.retryAt ?? event.at }) },
        ],
      },
      { target: "#request.failed", actions: { type: "keepFailure", params: itsFailure } },
    ],
    "upstream.rejected": { target: "#request.failed", actions: { type: "keepFailure", params: itsFailure } },
    "upstream.accepted": [
      {
        guard: { type: "cancelDueInBackground", params: itsBackground },
        target: "#request.streaming",
        actions: [
          "clearFailure",
          { type: "rememberResponse", params: itsResponse },
          { type: "markCancelAsked", params: byAt },
          { type: "cancelUpstream", params: eventId },
        ],
      },
      {
        guard: { type: "cancelDueInForeground", params: itsBackground },
        target: "#request.streaming",
        actions: [
          "clearFailure",
          { type: "rememberResponse", params: itsResponse },
          { type: "markCancelAsked", params: byAt },
          "stopStream",
        ],
      },
      {
        target: "#request.streaming",
        actions: ["clearFailure", { type: "rememberResponse", params: itsResponse }],
      },
    ],
    "upstream.lost": {
      target: "#request.unknown_outcome",
      actions: [{ type: "rememberLoss", params: itsCause }],
    },
    "deadline.passed": {
      target: "#request.unknown_outcome",
      actions: { type: "rememberLoss", params: deadlineCause },
    },
    "lease.expired": {
      target: "#request.unknown_outcome",
      actions: { type: "rememberLoss", params: ownerCause },
    },
    "caller.cancelled": { guard: "firstWish", actions: { type: "wishCancel", params: byAt } },
  },
});

const deferred = request.createStateConfig({
  description: "Provably not started; the next attempt waits its turn.",
  meta: { onOwnerLost: "lease.expired" },
  on: {
    "retry.due": [
      { guard: { type: "inTime", params: byAt }, target: "sending" },
      { target: "#request.failed", actions: "failUnsent" },
    ],
    "deadline.passed": { target: "#request.failed", actions: "failUnsent" },
    "lease.expired": { target: "#request.failed", actions: "failUnsent" },
    "caller.cancelled": {
      target: "#request.failed",
      actions: [{ type: "wishCancel", params: byAt }, "failUnsent"],
    },
  },
});

const claimed = request.createStateConfig({
  ...card("claimed"),
  initial: "sending",
  states: { sending, deferred },
});

const streaming = request.createStateConfig({
  ...card("streaming"),
  meta: { onOwnerLost: "lease.expired" },
  on: {
    ...settling,
    "upstream.cancelled": cancelled,
    "stream.stopped": cancelled,
    "upstream.lost": losing(itsCause),
    "deadline.passed": losing(deadlineCause),
    "lease.expired": losingTheOwner,
    "cancel.faulted": { guard: "wasAskedToCancel", actions: "markCancelDue" },
    "caller.cancelled": cancelling,
  },
});

const recoveryRequired = request.createStateConfig({
  ...card("recovery_required"),
  meta: { onOwnerLost: null },
  entry: { type: "recover", params: knownId },
  on: {
    ...settling,
    "upstream.cancelled": cancelled,
    "stream.reattached": { target: "streaming", actions: "forgetMiss" },
    "retrieval.pending": { guard: "wasMissing", actions: "forgetMiss" },
    "retrieval.faulted": {},
    "retrieval.missing": [
      { guard: { type: "readLagOver", params: byAt }, target: "failed", actions: "failMissing" },
      { guard: "firstMiss", actions: { type: "rememberMiss", params: byAt } },
    ],
    "cancel.faulted": { guard: "wasAskedToCancel", actions: "markCancelDue" },
    "caller.cancelled": cancelling,
    "caller.abandoned": { target: "abandoned" },
  },
});

const unknownOutcome = request.createStateConfig({
  ...card("unknown_outcome"),
  meta: { onOwnerLost: null },
  on: {
    ...settling,
    "upstream.accepted": [
      ...finding,
      { guard: { type: "canBeFound", params: responseEcho }, target: "recovery_required", actions: found },
    ],
    "upstream.unstarted": { target: "failed", actions: { type: "keepFailure", params: itsFailure } },
    "upstream.rejected": { target: "failed", actions: { type: "keepFailure", params: itsFailure } },
    "caller.attached": [...finding, { target: "recovery_required", actions: found }],
    "caller.abandoned": { target: "abandoned" },
  },
});

const final = (state: RequestState) => request.createStateConfig({ ...card(state), type: "final" });

export const requestMachine = request.createMachine({
  id: "request",
  version: "1",
  // XState calls this without input on every transition(); it must be total.
  context: ({ input = noInput }) => ({
    ...input,
    attempts: 0,
    upstream: null,
    cancel: null,
    missingSince: null,
    failure: null,
    reason: null,
    lostTo: null,
  }),
  initial: "claimed",
  states: {
    claimed,
    streaming,
    recovery_required: recoveryRequired,
    unknown_outcome: unknownOutcome,
    completed: final("completed"),
    refused: final("refused"),
    incomplete: final("incomplete"),
    failed: final("failed"),
    abandoned: final("abandoned"),
  },
});

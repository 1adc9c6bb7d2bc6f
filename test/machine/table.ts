/**
 * The life of a request as people agreed on it, row by row: where it is, what happened, where it goes. Written by
 * hand and never generated; the test beside it compares every row with the machine, both ways.
 */
export interface Row {
  from: readonly string[];
  happened: string;
  /** `event`, or `event [guard]`; `[else]` is the candidate taken when no guard before it held. */
  by: readonly string[];
  /** null where the state stays. */
  to: string | null;
  /** Effects asked for, beyond those of entering a state. */
  asks?: readonly string[];
}

const settles = ["claimed.sending", "streaming", "recovery_required", "unknown_outcome"];

export const rows: readonly Row[] = [
  {
    from: ["claimed.sending"],
    happened: "provably not started and worth another try in time",
    by: ["upstream.unstarted [mayRetry]"],
    to: "claimed.deferred",
    asks: ["awaitRetry"],
  },
  {
    from: ["claimed.deferred"],
    happened: "the delay is over",
    by: ["retry.due [inTime]"],
    to: "claimed.sending",
  },
  {
    from: ["claimed.deferred"],
    happened: "no time left, owner lost, cancelled",
    by: ["retry.due [else]", "deadline.passed", "lease.expired", "caller.cancelled"],
    to: "failed",
  },
  {
    from: ["claimed.sending"],
    happened: "rejected, or tries used up",
    by: ["upstream.rejected", "upstream.unstarted [else]"],
    to: "failed",
  },
  {
    from: ["claimed.sending"],
    happened: "upstream gave a response id",
    by: ["upstream.accepted [else]"],
    to: "streaming",
  },
  {
    from: ["claimed.sending"],
    happened: "upstream gave a response id, and the caller had asked to cancel a background call",
    by: ["upstream.accepted [cancelDueInBackground]"],
    to: "streaming",
    asks: ["cancelUpstream"],
  },
  {
    from: ["claimed.sending"],
    happened: "upstream gave a response id, and the caller had asked to cancel a foreground call",
    by: ["upstream.accepted [cancelDueInForeground]"],
    to: "streaming",
    asks: ["stopStream"],
  },
  {
    from: ["claimed.sending"],
    happened: "reset, time-out, gateway error, no stream and no answer, clean end, lost owner",
    by: ["upstream.lost", "deadline.passed", "lease.expired"],
    to: "unknown_outcome",
  },
  {
    from: settles,
    happened: "an answer that used the predecessor it was given",
    by: ["upstream.completed [contextKept]"],
    to: "completed",
    asks: ["keepResult", "advanceSession"],
  },
  {
    from: settles,
    happened: "an answer whose upstream ignored the predecessor",
    by: ["upstream.completed [else]"],
    to: "completed",
    asks: ["keepResult"],
  },
  {
    from: settles,
    happened: "a refusal that used the predecessor it was given",
    by: ["upstream.refused [contextKept]"],
    to: "refused",
    asks: ["keepResult", "advanceSession"],
  },
  {
    from: settles,
    happened: "a refusal whose upstream ignored the predecessor",
    by: ["upstream.refused [else]"],
    to: "refused",
    asks: ["keepResult"],
  },
  {
    from: settles,
    happened: "an answer that ended early",
    by: ["upstream.incomplete"],
    to: "incomplete",
    asks: ["keepResult"],
  },
  {
    from: settles,
    happened: "upstream failed at it",
    by: ["upstream.failed"],
    to: "failed",
    asks: ["keepResult"],
  },
  {
    from: ["streaming"],
    happened: "stream lost, idle too long, deadline, lost owner, and upstream can be asked",
    by: ["upstream.lost [canBeAsked]", "deadline.passed [canBeAsked]", "lease.expired [canBeAsked]"],
    to: "recovery_required",
  },
  {
    from: ["streaming"],
    happened: "lost owner, when nobody knows whether it still asked upstream to cancel",
    by: ["lease.expired [wishOutlivesOwner]"],
    to: "recovery_required",
    asks: ["cancelUpstream"],
  },
  {
    from: ["streaming"],
    happened: "the same, and it cannot",
    by: ["upstream.lost [else]", "deadline.passed [else]", "lease.expired [else]"],
    to: "unknown_outcome",
  },
  {
    from: ["recovery_required"],
    happened: "a worker re-attached to the live stream",
    by: ["stream.reattached"],
    to: "streaming",
  },
  {
    from: ["recovery_required"],
    happened: "retrieved: queued or in progress, or a passing fault",
    by: ["retrieval.pending [wasMissing]", "retrieval.faulted"],
    to: null,
  },
  {
    from: ["recovery_required"],
    happened: "404 for the first time",
    by: ["retrieval.missing [firstMiss]"],
    to: null,
  },
  {
    from: ["recovery_required"],
    happened: "404 again after the read-lag window",
    by: ["retrieval.missing [readLagOver]"],
    to: "failed",
  },
  {
    from: ["claimed.sending"],
    happened: "caller asks to cancel while nothing is known upstream: the wish is remembered",
    by: ["caller.cancelled [firstWish]"],
    to: null,
  },
  {
    from: ["streaming", "recovery_required"],
    happened: "caller asks to cancel a background response: cancelled upstream",
    by: ["caller.cancelled [mayAskInBackground]"],
    to: null,
    asks: ["cancelUpstream"],
  },
  {
    from: ["streaming", "recovery_required"],
    happened: "caller asks to cancel a foreground stream: the owner stops it",
    by: ["caller.cancelled [mayAskInForeground]"],
    to: null,
    asks: ["stopStream"],
  },
  {
    from: ["streaming", "recovery_required"],
    happened: "asking upstream to cancel failed: it may be asked again",
    by: ["cancel.faulted [wasAskedToCancel]"],
    to: null,
  },
  {
    from: ["streaming", "recovery_required"],
    happened: "upstream says cancelled",
    by: ["upstream.cancelled"],
    to: "incomplete",
    asks: ["keepResult"],
  },
  {
    from: ["streaming"],
    happened: "the owner stopped a foreground stream on request",
    by: ["stream.stopped"],
    to: "incomplete",
    asks: ["keepResult"],
  },
  {
    from: ["unknown_outcome"],
    happened: "evidence after all: a response id, from the late worker or from the caller",
    by: ["upstream.accepted [canBeFound]", "caller.attached [else]"],
    to: "recovery_required",
  },
  {
    from: ["unknown_outcome"],
    happened: "the same, after the caller had asked to cancel a background call",
    by: ["upstream.accepted [wishAwaitsFinding]", "caller.attached [wishAwaitsFinding]"],
    to: "recovery_required",
    asks: ["cancelUpstream"],
  },
  {
    from: ["unknown_outcome"],
    happened: "evidence after all: it was rejected, or never started",
    by: ["upstream.rejected", "upstream.unstarted"],
    to: "failed",
  },
  {
    from: ["recovery_required", "unknown_outcome"],
    happened: "caller abandons",
    by: ["caller.abandoned"],
    to: "abandoned",
  },
];

/** Effects of entering a state, by whichever way. */
export const entries: Readonly<Record<string, readonly string[]>> = {
  "claimed.sending": ["openStream"],
  recovery_required: ["recover"],
};

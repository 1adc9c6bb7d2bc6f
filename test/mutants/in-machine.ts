/** Wrong decisions. */
import type { Mutant } from "./mutants.ts";

const file = "machines/request.ts";

export const machineMutants: readonly Mutant[] = [
  {
    name: "resent-after-loss",
    says: "A call whose fate nobody knows is sent once more by its owner.",
    patches: [
      {
        file,
        find: `    "upstream.lost": {
      target: "#request.unknown_outcome",
      actions: [{ type: "rememberLoss", params: itsCause }],
    },`,
        replace: `    "upstream.lost": { target: "sending", reenter: true },`,
      },
    ],
  },
  {
    name: "late-answer-wins",
    says: "An answer that comes after a request was abandoned, or settled otherwise, moves it all the same.",
    patches: [
      {
        file: "machines/decide.ts",
        find: `  if (snapshot.status !== "active") return { next: snapshot, effects: [], changed: false };
  const [next, actions] = transition(requestMachine, snapshot, event);`,
        replace: `  if (snapshot.status !== "active" && !("outcome" in event))
    return { next: snapshot, effects: [], changed: false };
  const { context } = snapshot;
  const standing =
    snapshot.status === "active"
      ? snapshot
      : requestMachine.resolveState({ value: "recovery_required", context });
  const [next, actions] = transition(requestMachine, standing, event);`,
      },
      {
        file: "src/store/sqlite/fenced-update.ts",
        find: "isNull(requests.finishedAt),",
        replace: "isNull(requests.prunedAt),",
      },
    ],
  },
  {
    name: "refusal-as-answer",
    says: "A refusal is stored as a completion.",
    patches: [{ file, find: `answering("#request.refused"),`, replace: `answering("#request.completed"),` }],
  },
  {
    name: "one-attempt-too-many",
    says: "One attempt more goes out than the limit allows.",
    patches: [
      {
        file,
        find: `context.attempts < context.maxAttempts`,
        replace: `context.attempts <= context.maxAttempts`,
      },
    ],
  },
  {
    name: "retry-past-deadline",
    says: "Another attempt goes out when the deadline is over.",
    patches: [
      {
        file,
        find: `inTime: ({ context }, { at }: { at: number }) => at < context.deadlineAt,`,
        replace: `inTime: ({ context }, { at }: { at: number }) => at < context.deadlineAt + 3_600_000,`,
      },
    ],
  },
  {
    name: "pointer-to-half-answer",
    says: "The session goes on from an answer that ended early.",
    patches: [
      {
        file,
        find: `      { type: "keepReason", params: itsReason },
      "keepResult",
    ],`,
        replace: `      { type: "keepReason", params: itsReason },
      "keepResult",
      { type: "advanceSession", params: answerId },
    ],`,
      },
    ],
  },
  {
    name: "pointer-to-failure",
    says: "The session goes on from a response that failed.",
    patches: [
      {
        file,
        find: `      { type: "keepFailure", params: itsFailure },
      "keepResult",
    ],`,
        replace: `      { type: "keepFailure", params: itsFailure },
      "keepResult",
      { type: "advanceSession", params: answerId },
    ],`,
      },
    ],
  },
  {
    name: "pointer-past-lost-thread",
    says: "The session goes on from an answer that ignored what came before.",
    patches: [
      {
        file,
        find: `context.upstream?.contextIgnored === false || !ignoresContext(context, echo),`,
        replace: `context.upstream !== undefined || !ignoresContext(context, echo),`,
      },
    ],
  },
  {
    name: "cancel-asked-twice",
    says: "Each further wish to cancel asks upstream once more, however lately it was asked.",
    patches: [
      {
        file,
        find: `!askedLately(context, at) && context.upstream?.background === true,`,
        replace: `at > 0 && context.upstream?.background === true,`,
      },
    ],
  },
  {
    name: "gives-up-at-first-404",
    says: "An answer that cannot be read yet is given up when upstream misses it for the first time.",
    patches: [
      {
        file,
        find: `      context.missingSince !== null && at - context.missingSince >= readLagMs,`,
        replace: `      context.missingSince === null || at - context.missingSince >= readLagMs,`,
      },
    ],
  },
  {
    name: "deadline-ends-answer",
    says: "At the deadline the answer is given up, not only its stream.",
    patches: [
      {
        file,
        find: `"deadline.passed": losing(deadlineCause),`,
        replace: `"deadline.passed": { target: "#request.failed", actions: "failUnsent" },`,
      },
    ],
  },
  {
    name: "silence-is-storage",
    says: "A response that upstream did not say it stores counts as one that can be asked for.",
    patches: [
      {
        file,
        find: `context.retrievable && (store === true || background === true);`,
        replace: `context.retrievable && (store !== false || background === true);`,
      },
    ],
  },
];

/** Wrong writes. */
import type { Mutant } from "./mutants.ts";

export const storeMutants: readonly Mutant[] = [
  {
    name: "journal-apart",
    says: "The journal's row is written after the commit, in a transaction of its own.",
    patches: [
      {
        file: "src/store/sqlite/commit.ts",
        find: `  insertEvent(connection, record, event);`,
        replace: `  queueMicrotask(() => insertEvent(connection, record, event));`,
      },
    ],
  },
  {
    name: "answer-apart",
    says: "The answer is written after the commit that says it is there.",
    patches: [
      {
        file: "src/store/sqlite/commit.ts",
        find: `  const stored = result ? insertResult(connection, id, result) : 0;`,
        replace: `  if (result) queueMicrotask(() => insertResult(connection, id, result));
  const stored = result ? Buffer.byteLength(JSON.stringify(result)) : 0;`,
      },
    ],
  },
  {
    name: "settled-is-moved",
    says: "The store lets a settled request be moved.",
    patches: [
      {
        file: "src/store/sqlite/fenced-update.ts",
        find: "isNull(requests.finishedAt),",
        replace: "isNull(requests.prunedAt),",
      },
    ],
  },
  {
    name: "digest-ignored",
    says: "A known id with other arguments is taken for the same call.",
    patches: [
      {
        file: "src/store/sqlite/equal-call.ts",
        find: `if (held.record.tool === call.tool && held.whole === call.digests.whole) {`,
        replace: `if (held.record.tool === call.tool) {`,
      },
    ],
  },
  {
    name: "repeat-not-joined",
    says: "A host that lost a call and issues it again without an id pays a second time.",
    patches: [
      {
        file: "src/store/sqlite/equal-call.ts",
        find: `if (call.idGiven) return null;`,
        replace: `if (call.idGiven || call.id) return null;`,
      },
    ],
  },
  {
    name: "one-live-too-many",
    says: "One request more is at work than the limit allows.",
    patches: [
      {
        file: "src/store/sqlite/limits.ts",
        find: `now.live >= limits.live`,
        replace: `now.live > limits.live`,
      },
    ],
  },
  {
    name: "owner-not-fenced",
    says: "An owner's write asks neither for its epoch nor for its lease.",
    patches: [
      {
        file: "src/store/sqlite/fenced-update.ts",
        find: `fencedBy(and(sameEpoch, eq(requests.owner, given("holder")))),`,
        replace: `fencedBy(),`,
      },
    ],
  },
  {
    name: "version-not-fenced",
    says: "What was decided on an older row is written over the newer one.",
    patches: [
      {
        file: "src/store/sqlite/fenced-update.ts",
        find: `          eq(requests.version, given("version")),\n`,
        replace: "",
      },
    ],
  },
  {
    name: "lease-not-seen-again",
    says: "A take-over does not look whether the lease was renewed meanwhile.",
    patches: [
      {
        file: "src/store/sqlite/fenced-update.ts",
        find: "successor: fencedBy(and(sameEpoch, sql",
        replace: "successor: fencedBy(sameEpoch ?? and(sameEpoch, sql",
      },
    ],
  },
  {
    name: "epoch-stands-still",
    says: "A take-over leaves the epoch as it was.",
    patches: [
      {
        file: "src/store/sqlite/fenced-update.ts",
        find: `Number(fence.kind === "successor" || taken !== null)`,
        replace: `Number(fence.kind === "successor" && taken === null && id === "")`,
      },
    ],
  },
  {
    name: "fenced-renewal-holds",
    says: "Who was replaced renews the lease of its successor.",
    patches: [
      {
        file: "src/store/sqlite/renew.ts",
        find: `        eq(requests.epoch, given("epoch")),
        eq(requests.owner, given("owner")),\n`,
        replace: "",
      },
    ],
  },
  {
    name: "note-over-snapshot",
    says: "A note beside the journal is written over the snapshot as well.",
    patches: [
      {
        file: "src/store/sqlite/journal.ts",
        find: `  insert.run({ ...note, ...at, requestId: id, note: last + 1, eventId: null });`,
        replace: `  insert.run({ ...note, ...at, requestId: id, note: last + 1, eventId: null });
  connection.db.update(requests).set({ snapshot: note.payload }).where(eq(requests.id, id)).run();`,
      },
    ],
  },
  {
    name: "unknown-taken-for-done",
    says: "A commit that may have failed is taken for written.",
    patches: [
      {
        file: "src/store/sqlite/commit.ts",
        find: `const there = wasWritten(connection, id, fence.version + 1, event.eventId);`,
        replace: `const there = wasWritten(connection, id, fence.version + 1, event.eventId) || id !== "";`,
      },
    ],
  },
  {
    name: "unknown-taken-for-lost",
    says: "A commit that may have been written is taken for not written.",
    patches: [
      {
        file: "src/store/sqlite/commit.ts",
        find: `const there = wasWritten(connection, id, fence.version + 1, event.eventId);`,
        replace: `const there = wasWritten(connection, id, fence.version + 2, event.eventId);`,
      },
    ],
  },
  {
    name: "pointer-never-moved",
    says: "A whole answer does not move its session on.",
    patches: [
      {
        file: "src/store/sqlite/commit.ts",
        find: `  if (advance) statements`,
        replace: `  if (advance && id === "") statements`,
      },
    ],
  },
  {
    name: "unread-is-pruned",
    says: "Retention prunes what is younger than its term.",
    patches: [
      {
        file: "src/store/sqlite/retain.ts",
        find: `const old = oldResults.all({ before: order.resultsFinishedBefore, limit });`,
        replace: `const old = oldResults.all({ before: order.at, limit });`,
      },
    ],
  },
];

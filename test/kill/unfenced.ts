/**
 * The store with its fence taken out, for the negative control: whoever is refused as stale writes all the same
 * what it decided on the older row. What is built on such a store must be seen to break.
 */
import { isFinal } from "../../machines/snapshots.ts";
import type { Commit, CommitOutcome, Fence, RequestRecord, Store } from "../../src/store/store.ts";

export function unfenced(store: Store): Store {
  return {
    ...store,
    async commit(commit: Commit): Promise<CommitOutcome> {
      for (;;) {
        const outcome = await store.commit(commit);
        const row = outcome.kind === "stale" ? await store.load(commit.id) : null;
        if (row === null || isFinal(row.state)) return outcome;
        commit = { ...commit, fence: fitting(commit.fence, row) };
      }
    },
    renew: async (owner, held, until) =>
      (await store.renew(owner, held, until)).map((renewal) => ({ ...renewal, held: true })),
  };
}

/** The same kind of fence, as if the row as it is now had been read. */
function fitting({ kind }: Fence, { version, epoch, owner, leaseUntil }: RequestRecord): Fence {
  if (kind === "successor") return { kind, version, epoch, leaseUntil };
  return kind === "owner" && owner !== null ? { kind, version, epoch, owner } : { kind: "version", version };
}

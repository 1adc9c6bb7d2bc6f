import { randomInt, randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { machineVersion } from "../../../machines/snapshots.ts";
import type { LeaseChange, RequestRecord, Store, Fence as StoreFence } from "../../../src/store/store.ts";
import { makeSqliteDatabase } from "../../store/folders.ts";
import { aClaim, noon, ownerFence, successorFence, versionFence } from "../../store/life.ts";
import { type Fence, protocol, type Row } from "./rules.ts";

/** What a worker may try with what it read last, however long ago. */
type Try =
  | { kind: "look"; who: 0 | 1 }
  | { kind: "renew"; who: 0 | 1 }
  | { kind: "write"; who: 0 | 1; fence: Fence; leaves: "keeps" | "releases" | "takes" | "settles" };

const who = fc.constantFrom<0 | 1>(0, 1);
const anyTry: fc.Arbitrary<Try> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("look" as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("renew" as const), who }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      who,
      fence: fc.constantFrom<Fence>("owner", "version", "successor"),
      leaves: fc.constantFrom("keeps" as const, "releases" as const, "takes" as const, "settles" as const),
    }),
  },
);

const seed = Number(process.env["CLAIMCHECK_SEED"] ?? randomInt(2 ** 31));
const owners: readonly [string, string] = ["owner-0", "owner-1"];

test("SQLite takes and refuses exactly the writes that the protocol's rules take and refuse", async () => {
  console.info(`seed ${seed}; CLAIMCHECK_SEED=${seed} repeats it`);
  const database = await makeSqliteDatabase();
  const store = await database.open();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTry, { minLength: 4, maxLength: 24 }), (tries) => both(store, tries)),
      { seed, numRuns: 150 },
    );
  } finally {
    await store.close();
    await database.remove();
  }
});

/** The same tries on the real store and on the rules; after each, row and verdict are the same. */
async function both(store: Store, tries: readonly Try[]) {
  const claim = aClaim({
    owner: owners[0],
    limits: { ...aClaim().limits, live: 100_000, sessions: 100_000 },
  });
  await store.claim(claim);
  const first = await rowOf(store, claim.id);
  const seen: [RequestRecord, RequestRecord] = [first, first];
  let row: Row = { ...abstracted(first), lapsed: false, intents: 1, advances: 0 };
  let leases = 0;
  for (const one of tries) {
    const read = seen[one.who];
    if (one.kind === "look") seen[one.who] = await rowOf(store, claim.id);
    else if (one.kind === "renew") {
      leases += 1;
      const [renewal] = await store.renew(
        owners[one.who],
        [{ id: claim.id, epoch: read.epoch }],
        noon + leases,
      );
      const holds = row.owner === one.who && row.epoch === read.epoch;
      expect(renewal?.held).toBe(holds);
      if (holds) row = { ...row, lease: noon + leases };
    } else {
      leases += 1;
      const taken = row.snapshot !== "abandoned" && protocol.takes(one.fence, row, seenOf(read), one.who);
      const outcome = await store.commit(commitOf(read, one, noon + leases));
      expect(outcome.kind).toBe(taken ? "committed" : "stale");
      if (taken) row = written(row, one, noon + leases);
    }
    expect(abstracted(await rowOf(store, claim.id))).toEqual(essence(row));
  }
}

type Write = Extract<Try, { kind: "write" }>;

function commitOf(read: RequestRecord, { fence, leaves, who: writer }: Write, until: number) {
  const state = leaves === "settles" ? "abandoned" : read.state;
  return {
    id: read.id,
    fence: fenceOf(fence, read, writer),
    event: { eventId: randomUUID(), type: "tried", payload: {}, at: noon, process: owners[writer] },
    state,
    machineVersion,
    snapshot: read.snapshot,
    lease: leaseOf(leaves, writer, until),
  } as const;
}

function fenceOf(fence: Fence, read: RequestRecord, writer: 0 | 1): StoreFence {
  switch (fence) {
    case "owner":
      return { ...ownerFence(read), owner: owners[writer] } as StoreFence;
    case "version":
      return versionFence(read);
    case "successor":
      return successorFence(read);
  }
}

function leaseOf(leaves: Write["leaves"], writer: 0 | 1, until: number): LeaseChange {
  if (leaves === "takes") return { kind: "take", owner: owners[writer], until };
  return { kind: leaves === "keeps" ? "keep" : "release" };
}

function written(row: Row, { fence, leaves, who: writer }: Write, until: number): Row {
  const owner = leaves === "keeps" ? row.owner : leaves === "takes" ? writer : null;
  const lease = leaves === "keeps" ? row.lease : leaves === "takes" ? until : 0;
  return {
    ...row,
    version: row.version + 1,
    epoch: row.epoch + Number(fence === "successor" || leaves === "takes"),
    owner,
    lease,
    snapshot: leaves === "settles" ? "abandoned" : row.snapshot,
  };
}

const seenOf = ({ version, epoch, leaseUntil }: RequestRecord) => ({
  version,
  epoch,
  lease: leaseUntil ?? 0,
});
const essence = ({ version, epoch, lease, owner, snapshot }: Row) => ({
  version,
  epoch,
  lease,
  owner,
  snapshot,
});

function abstracted(record: RequestRecord) {
  const owner = owners.indexOf(record.owner ?? "nobody");
  return { ...seenOf(record), owner: owner < 0 ? null : owner, snapshot: record.state as string };
}

async function rowOf(store: Store, id: string): Promise<RequestRecord> {
  const record = await store.load(id);
  if (record === null) throw new Error("The row is gone.");
  return record;
}

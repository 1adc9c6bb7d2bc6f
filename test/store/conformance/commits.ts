import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { rehydrate } from "../../../machines/snapshots.ts";
import type { Fence, RequestRecord, Store } from "../../../src/store/store.ts";
import {
  abandoned,
  accepted,
  anAnswer,
  answered,
  claimed,
  completed,
  lived,
  lost,
  noon,
  ownerFence,
  rejected,
  step,
  successorFence,
  versionFence,
  written,
} from "../life.ts";
import type { StoreTest } from "./store-test.ts";

/** All that a commit could have changed. */
async function everything(store: Store, { id, sessionId }: RequestRecord) {
  return {
    record: await store.load(id),
    journal: await store.journal(id),
    result: await store.result(id),
    session: await store.session(sessionId),
    totals: await store.totals(),
  };
}

export function commits(test: StoreTest): void {
  test("a commit moves the version by one and journals its event there", async ({ store, other }) => {
    const record = await claimed(store);
    const commit = step(record, accepted("resp_1"), { at: noon + 7 });

    const after = written(await store.commit(commit));

    expect(after).toEqual({
      ...record,
      state: "streaming",
      snapshot: commit.snapshot,
      version: 1,
      responseId: "resp_1",
      updatedAt: noon + 7,
    });
    expect(await other.load(record.id)).toEqual(after);
    expect(rehydrate(after.machineVersion, after.snapshot).context.upstream?.responseId).toBe("resp_1");
    expect((await other.journal(record.id)).at(-1)).toEqual({
      ...commit.event,
      seq: 1,
      note: 0,
      state: "streaming",
    });
  });

  test("the answer, its usage, the end and the session's pointer are there together", async ({
    store,
    other,
  }) => {
    const record = await lived(store, await claimed(store), accepted("resp_1"));
    const answer = anAnswer("resp_1", "Grüße — 42 ✓");
    const before = await store.session(record.sessionId);

    const after = written(await store.commit(step(record, completed(answer), { at: noon + 9 })));

    expect(after).toMatchObject({
      state: "completed",
      usage: { total_tokens: 7 },
      finishedAt: noon + 9,
      deliveredAt: null,
      owner: null,
      leaseUntil: null,
    });
    expect(await other.result(record.id)).toEqual(answer);
    expect(await other.session(record.sessionId)).toMatchObject({
      lastResponseId: "resp_1",
      lastResponseAt: noon + 9,
      updatedAt: noon + 9,
      version: (before?.version ?? 0) + 1,
      activeRequestId: null,
    });
  });

  test("an end without an answer moves no pointer", async ({ store }) => {
    const record = await claimed(store);
    const before = await store.session(record.sessionId);

    await lived(store, record, rejected);

    expect(await store.session(record.sessionId)).toMatchObject({
      lastResponseId: null,
      version: before?.version,
    });
    expect(await store.result(record.id)).toBeNull();
  });

  const strangers: [string, (record: RequestRecord) => Fence][] = [
    ["an older version", (record) => ({ ...ownerFence(record), version: 0 })],
    ["a version to come", (record) => ({ ...ownerFence(record), version: 2 })],
    ["another epoch", (record) => ({ kind: "owner", version: 1, epoch: 2, owner: record.owner ?? "" })],
    ["another owner", () => ({ kind: "owner", version: 1, epoch: 1, owner: "owner-2" })],
    ["an older version, whoever writes", () => ({ kind: "version", version: 0 })],
    ["another lease than was seen", (record) => ({ ...successorFence(record), leaseUntil: noon })],
    ["no lease where there is one", (record) => ({ ...successorFence(record), leaseUntil: null })],
    ["another epoch than was seen", (record) => ({ ...successorFence(record), epoch: 2 })],
  ];
  for (const [what, fence] of strangers) {
    test(`a commit fenced by ${what} is stale and writes nothing`, async ({ store }) => {
      const record = await lived(store, await claimed(store), accepted("resp_1"));
      const before = await everything(store, record);

      const outcome = await store.commit(
        step(record, completed(anAnswer("resp_1")), { fence: fence(record) }),
      );

      expect(outcome).toEqual({ kind: "stale" });
      expect(await everything(store, record)).toEqual(before);
    });
  }

  test("a commit on a request that is gone is stale", async ({ store }) => {
    const record = await claimed(store);

    expect(await store.commit({ ...step(record, rejected), id: randomUUID() })).toEqual({ kind: "stale" });
  });

  test("an owner whose lease ran out, and whom nobody replaced, may finish", async ({ store }) => {
    const record = await claimed(store, { leaseUntil: noon + 1 });

    const late = await store.commit(step(record, rejected, { at: noon + 10 ** 9 }));

    expect(late).toMatchObject({ kind: "committed", record: { state: "failed" } });
  });

  test("whoever read the present version may write, without a lease", async ({ store, other }) => {
    const record = await claimed(store);

    const outcome = await other.commit(step(record, accepted(), { fence: versionFence(record) }));

    expect(outcome).toMatchObject({ kind: "committed", record: { owner: "owner-1", epoch: 1 } });
  });

  test("of two writers that read the same version, one is stale", async ({ store, other }) => {
    const record = await claimed(store);

    const outcomes = await Promise.all(
      [store, other].map((one) => one.commit(step(record, accepted(), { fence: versionFence(record) }))),
    );

    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["committed", "stale"]);
    expect(await store.journal(record.id)).toHaveLength(2);
  });

  test("a successor moves the epoch, and the owner before it can write no more", async ({ store, other }) => {
    const record = await claimed(store);
    const takeover = step(
      record,
      { type: "lease.expired" },
      { fence: successorFence(record), lease: { kind: "release" } },
    );

    const taken = written(await other.commit(takeover));
    const zombie = await store.commit(step(record, accepted()));
    const zombieThatRead = await store.commit(
      step(taken, abandoned, {
        fence: { kind: "owner", version: taken.version, epoch: 1, owner: "owner-1" },
      }),
    );

    expect(taken).toMatchObject({ state: "unknown_outcome", epoch: 2, owner: null, leaseUntil: null });
    expect([zombie, zombieThatRead]).toEqual([{ kind: "stale" }, { kind: "stale" }]);
  });

  test("a successor that saw a lease which was renewed since is stale", async ({ store, other }) => {
    const record = await claimed(store);
    await store.renew("owner-1", [record], noon + 60_000);

    const outcome = await other.commit(
      step(record, { type: "lease.expired" }, { fence: successorFence(record) }),
    );

    expect(outcome).toEqual({ kind: "stale" });
  });

  test("a successor takes the lease of one that nobody holds", async ({ store }) => {
    const record = await lived(store, await claimed(store), accepted(), lost);

    const outcome = await store.commit(
      step(
        record,
        { type: "stream.reattached" },
        {
          fence: successorFence(record),
          lease: { kind: "take", owner: "owner-2", until: noon + 99 },
        },
      ),
    );

    expect(outcome).toMatchObject({
      kind: "committed",
      record: {
        state: "streaming",
        epoch: 2,
        owner: "owner-2",
        leaseUntil: noon + 99,
        version: 3,
        finishedAt: null,
      },
    });
  });

  test("taking the lease moves the epoch, keeping it does not", async ({ store }) => {
    const record = await claimed(store);

    const kept = written(await store.commit(step(record, accepted(), { lease: { kind: "keep" } })));
    const lease = { kind: "take", owner: "owner-3", until: noon + 5 } as const;
    const taken = written(await store.commit(step(kept, { type: "caller.cancelled" }, { lease })));

    expect(kept).toMatchObject({ epoch: 1, owner: "owner-1", leaseUntil: noon + 30_000 });
    expect(taken).toMatchObject({ epoch: 2, owner: "owner-3", leaseUntil: noon + 5 });
  });

  test("a worker that lost its lease still delivers its answer through the version it reads", async ({
    store,
    other,
  }) => {
    const record = await lived(store, await claimed(store), accepted("resp_1"));
    const takeover = step(
      record,
      { type: "lease.expired" },
      { fence: successorFence(record), lease: { kind: "release" } },
    );
    await other.commit(takeover);
    const late = step(record, completed(anAnswer("resp_1")));

    const stale = await store.commit(late);
    const read = await store.load(record.id);
    const again = read && (await store.commit(step(read, completed(anAnswer("resp_1")))));

    expect(stale).toEqual({ kind: "stale" });
    expect(again).toMatchObject({ kind: "committed", record: { state: "completed" } });
    expect(await store.result(record.id)).toMatchObject({ text: "forty-two" });
  });

  test("a response belongs to one request; a second one is told to which", async ({ store, other }) => {
    const first = await lived(store, await claimed(store), accepted("resp_1"));
    const second = await claimed(store);
    const before = await everything(store, second);

    const outcome = await other.commit(step(second, accepted("resp_1")));

    expect(outcome).toEqual({ kind: "response_taken", by: first.id });
    expect(await everything(store, second)).toEqual(before);
    const without = step(second, accepted("resp_1"));
    delete without.responseId;
    expect((await store.commit(without)).kind).toBe("committed");
  });

  test("the same id from another endpoint or provider is another response", async ({ store }) => {
    await lived(store, await claimed(store), accepted("resp_1"));
    const elsewhere = await claimed(store, { endpoint: "endpoint-2" });
    const otherwise = await claimed(store, { provider: "test-2" });

    expect((await store.commit(step(elsewhere, accepted("resp_1")))).kind).toBe("committed");
    expect((await store.commit(step(otherwise, accepted("resp_1")))).kind).toBe("committed");
  });

  test("what is known stays known when a later commit does not say it again", async ({ store }) => {
    const record = await lived(store, await claimed(store), accepted("resp_1"));

    const used = written(
      await store.commit(step(record, { type: "caller.cancelled" }, { usage: { total_tokens: 3 } })),
    );
    const after = written(await store.commit(step(used, lost)));

    expect(used).toMatchObject({ responseId: "resp_1", usage: { total_tokens: 3 } });
    expect(after).toMatchObject({
      state: "recovery_required",
      responseId: "resp_1",
      usage: { total_tokens: 3 },
    });
  });

  test("nothing moves a settled request", async ({ store }) => {
    const record = await answered(store);
    const live = await claimed(store);
    const before = await everything(store, record);

    const commit = { ...step(live, rejected), id: record.id, fence: versionFence(record) };

    expect(await store.commit(commit)).toEqual({ kind: "stale" });
    expect(await everything(store, record)).toEqual(before);
  });
}

import { expect } from "vitest";
import type { RetentionOrder } from "../../../src/store/store.ts";
import {
  accepted,
  anAnswer,
  answered,
  claimed,
  completed,
  lived,
  lost,
  newSession,
  noon,
  rejected,
  step,
} from "../life.ts";
import type { StoreTest } from "./store-test.ts";

const day = 86_400_000;
const never = 0;

function order(changes: Partial<RetentionOrder> = {}): RetentionOrder {
  return {
    at: noon + 40 * day,
    owner: "process-1",
    resultsFinishedBefore: noon + 10 * day,
    sessionsIdleBefore: never,
    batch: 50,
    ...changes,
  };
}

export function retention(test: StoreTest): void {
  test("an old answer is pruned to a tombstone that keeps its usage", async ({ store, other }) => {
    const old = await answered(store);
    const young = await answered(store, { at: noon + 20 * day });
    const { contentBytes } = await store.totals();

    const touched = await store.retain(order());

    expect(touched).toBe(1);
    expect(await other.load(old.id)).toEqual({ ...old, prunedAt: noon + 40 * day });
    expect(await other.result(old.id)).toBeNull();
    expect(await other.load(young.id)).toEqual(young);
    expect(await other.result(young.id)).not.toBeNull();
    expect((await store.totals()).contentBytes).toBe(contentBytes / 2);
  });

  test("an answer that came late is as old as its end", async ({ store }) => {
    const waiting = await lived(store, await claimed(store), accepted("resp_1"), lost);
    await store.commit(step(waiting, completed(anAnswer("resp_1")), { at: noon + 20 * day }));

    expect(await store.retain(order())).toBe(0);
    expect(await store.result(waiting.id)).not.toBeNull();
  });

  test("an idle session goes with all it has", async ({ store }) => {
    const idle = await answered(store, { session: newSession("Be brief.") });
    const busy = await answered(store, { at: noon + 20 * day });

    const touched = await store.retain(
      order({ resultsFinishedBefore: never, sessionsIdleBefore: noon + 10 * day }),
    );

    expect(touched).toBe(1);
    expect(await store.session(idle.sessionId)).toBeNull();
    expect(await store.load(idle.id)).toBeNull();
    expect(await store.load(busy.id)).toEqual(busy);
    expect(await store.totals()).toMatchObject({ sessions: 1, requests: 1 });
  });

  test("a session that was used or changed since is not idle", async ({ store }) => {
    const asked = await lived(store, await claimed(store), rejected);
    const session = { kind: "existing", id: asked.sessionId, version: 0 } as const;
    await lived(store, await claimed(store, { session, at: noon + 20 * day }), rejected);
    const changed = await lived(store, await claimed(store), rejected);
    await store.configureSession(changed.sessionId, { name: "Kept" }, noon + 20 * day, { contentBytes: 0 });

    expect(await store.retain(order({ sessionsIdleBefore: noon + 10 * day }))).toBe(0);
  });

  test("a session whose last request ended since is not idle, answer or not", async ({ store }) => {
    const record = await claimed(store);
    await store.commit(step(record, rejected, { at: noon + 20 * day }));

    expect(await store.retain(order({ sessionsIdleBefore: noon + 10 * day }))).toBe(0);
    expect(await store.retain(order({ sessionsIdleBefore: noon + 21 * day }))).toBe(1);
  });

  test("nothing live or unresolved is ever touched", async ({ store }) => {
    const kept = [
      await claimed(store),
      await lived(store, await claimed(store), accepted()),
      await lived(store, await claimed(store), lost),
      await lived(store, await claimed(store), accepted(), lost),
    ];

    const touched = await store.retain(
      order({ resultsFinishedBefore: noon + 40 * day, sessionsIdleBefore: noon + 40 * day }),
    );

    expect(touched).toBe(0);
    for (const record of kept) expect(await store.load(record.id)).toEqual(record);
  });

  test("works in batches, answers before sessions, until nothing is left", async ({ store }) => {
    for (let made = 0; made < 5; made += 1) await answered(store);
    const small = order({ batch: 3, sessionsIdleBefore: noon + 10 * day });

    const touched: number[] = [];
    for (let call = 0; call < 5; call += 1) touched.push(await store.retain(small));

    expect(touched).toEqual([3, 3, 3, 1, 0]);
    expect(await store.totals()).toEqual({ sessions: 0, requests: 0, live: 0, contentBytes: 0 });
  });

  test("one process at a time; another has its turn after a minute of silence", async ({ store, other }) => {
    for (let made = 0; made < 4; made += 1) await answered(store);
    const one = order({ batch: 1 });

    const touched = [
      await store.retain(one),
      await other.retain({ ...one, owner: "process-2", at: one.at + 59_999 }),
      await store.retain({ ...one, at: one.at + 10_000 }),
      await other.retain({ ...one, owner: "process-2", at: one.at + 69_999 }),
      await other.retain({ ...one, owner: "process-2", at: one.at + 70_000 }),
      await store.retain({ ...one, at: one.at + 70_001 }),
    ];

    expect(touched).toEqual([1, 0, 1, 0, 1, 0]);
  });
}

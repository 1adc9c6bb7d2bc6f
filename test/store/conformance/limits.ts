import { expect } from "vitest";
import type { Claim, Store } from "../../../src/store/store.ts";
import {
  aClaim,
  accepted,
  answered,
  claimed,
  lived,
  lost,
  newSession,
  rejected,
  step,
  wide,
  written,
} from "../life.ts";
import type { StoreTest } from "./store-test.ts";

type Limits = Claim["limits"];

/** The same claim under a limit that has no room and under one that has just enough. */
async function tight(store: Store, limit: keyof Limits, enough: number, changes: Partial<Claim> = {}) {
  const before = await store.totals();
  const refused = await store.claim(aClaim({ ...changes, limits: { ...wide, [limit]: enough - 1 } }));
  expect(await store.totals()).toEqual(before);
  const taken = await store.claim(aClaim({ ...changes, limits: { ...wide, [limit]: enough } }));
  return { refused, taken: taken.kind };
}

export function limits(test: StoreTest): void {
  test("more live requests than allowed are refused, naming those that are live", async ({ store }) => {
    const first = await claimed(store);
    const second = await lived(store, await claimed(store, { at: first.createdAt + 1 }), accepted());

    await lived(store, await claimed(store, { at: first.createdAt + 2 }), rejected);
    const unresolved = step(await claimed(store), lost, { lease: { kind: "keep" } });
    await store.commit(unresolved);
    const forPerson = step(await claimed(store), accepted(), { lease: { kind: "release" } });
    await store.commit(forPerson);

    const { refused, taken } = await tight(store, "live", 3);

    expect(refused).toEqual({ kind: "full", limit: "live", max: 2, holders: [first.id, second.id] });
    expect(taken).toBe("claimed");
  });

  test("a request that waits for a person takes no live slot, yet holds its session", async ({ store }) => {
    const record = await claimed(store);
    const waiting = written(await store.commit(step(record, accepted(), { lease: { kind: "release" } })));

    expect(waiting).toMatchObject({ state: "streaming", owner: null, leaseUntil: null });
    expect(await store.totals()).toMatchObject({ live: 0 });
    expect((await store.claim(aClaim({ limits: { ...wide, live: 1 } }))).kind).toBe("claimed");
    const session = { kind: "existing", id: record.sessionId, version: 0 } as const;
    expect(await store.claim(aClaim({ session }))).toMatchObject({ kind: "blocked", by: { id: record.id } });
  });

  test("more sessions than allowed are refused, naming those that could go, idle ones first", async ({
    store,
  }) => {
    const young = await answered(store, { at: 9_000 });
    const old = await answered(store, { at: 1_000 });
    await claimed(store, { at: 10 });

    const { refused, taken } = await tight(store, "sessions", 4);

    expect(refused).toEqual({
      kind: "full",
      limit: "sessions",
      max: 3,
      holders: [old.sessionId, young.sessionId],
    });
    expect(taken).toBe("claimed");
  });

  test("a session that is there is continued however many there are", async ({ store }) => {
    const { sessionId } = await lived(store, await claimed(store), rejected);
    const session = { kind: "existing", id: sessionId, version: 0 } as const;

    expect((await store.claim(aClaim({ session, limits: { ...wide, sessions: 0 } }))).kind).toBe("claimed");
  });

  test("more requests than allowed are refused, settled ones included", async ({ store }) => {
    await answered(store);
    await claimed(store);

    const { refused, taken } = await tight(store, "requests", 3);

    expect(refused).toMatchObject({ kind: "full", limit: "requests", max: 2 });
    expect(taken).toBe("claimed");
  });

  test("a claim needs room for its answer and its session's instructions beside all there is", async ({
    store,
  }) => {
    await answered(store);
    await claimed(store, { reserveBytes: 500 });
    const { contentBytes } = await store.totals();
    const instructions = "Sei höflich.";
    const wanted = { reserveBytes: 700, session: newSession(instructions) };

    const { refused, taken } = await tight(store, "contentBytes", contentBytes + 700 + 13, wanted);

    expect(refused).toMatchObject({ kind: "full", limit: "content", max: contentBytes + 700 + 12 });
    expect(taken).toBe("claimed");
    expect((await store.totals()).contentBytes).toBe(contentBytes + 700 + 13);
  });
}

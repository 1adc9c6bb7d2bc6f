import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { finalStates, liveStates, unresolvedStates } from "../../../machines/states.ts";
import type { RequestQuery, Store } from "../../../src/store/store.ts";
import { accepted, answered, claimed, lived, lost, noon, rejected } from "../life.ts";
import type { StoreTest } from "./store-test.ts";

async function idsOf(store: Store, query: Partial<RequestQuery>) {
  return (await store.requests({ limit: 100, ...query })).map(({ id }) => id);
}

/** One request of each kind, the newest last. */
async function oneOfEach(store: Store) {
  const failed = await lived(store, await claimed(store, { at: noon + 1 }), rejected);
  const read = await answered(store, { at: noon + 2 });
  const unread = await answered(store, { at: noon + 3 });
  const unknown = await lived(store, await claimed(store, { at: noon + 4 }), lost);
  const recoverable = await lived(store, await claimed(store, { at: noon + 5 }), accepted(), lost);
  const streaming = await lived(store, await claimed(store, { at: noon + 6 }), accepted());
  const sending = await claimed(store, { at: noon + 7 });
  await store.markDelivered(read.id, noon + 99);
  return { failed, read, unread, unknown, recoverable, streaming, sending };
}

export function lists(test: StoreTest): void {
  test("lists requests newest first, as many as asked for", async ({ store, other }) => {
    const all = Object.values(await oneOfEach(store)).reverse();

    expect(await idsOf(other, {})).toEqual(all.map(({ id }) => id));
    expect(await idsOf(other, { limit: 2 })).toEqual(all.slice(0, 2).map(({ id }) => id));
  });

  test("lists what is live, what is unresolved, what is settled", async ({ store }) => {
    const { failed, read, unread, unknown, recoverable, streaming, sending } = await oneOfEach(store);

    expect(await idsOf(store, { states: liveStates })).toEqual([sending.id, streaming.id]);
    expect(await idsOf(store, { states: unresolvedStates })).toEqual([recoverable.id, unknown.id]);
    expect(await idsOf(store, { states: finalStates })).toEqual([unread.id, read.id, failed.id]);
    expect(await idsOf(store, { states: ["failed", "claimed"] })).toEqual([sending.id, failed.id]);
    expect(await idsOf(store, { states: [] })).toEqual([]);
  });

  test("lists the finished ones that nobody was given yet", async ({ store }) => {
    const { failed, unread } = await oneOfEach(store);

    expect(await idsOf(store, { undelivered: true })).toEqual([unread.id, failed.id]);
    expect(await idsOf(store, { undelivered: true, states: ["completed"] })).toEqual([unread.id]);
    expect(await idsOf(store, { undelivered: true, states: liveStates })).toEqual([]);
  });

  test("lists one session's turns", async ({ store }) => {
    const first = await lived(store, await claimed(store), rejected);
    await claimed(store);
    const session = { kind: "existing", id: first.sessionId, version: 0 } as const;
    const second = await claimed(store, { session, at: noon + 1 });

    expect(await idsOf(store, { sessionId: first.sessionId })).toEqual([second.id, first.id]);
    expect(await idsOf(store, { sessionId: first.sessionId, states: liveStates })).toEqual([second.id]);
    expect(await idsOf(store, { sessionId: randomUUID() })).toEqual([]);
  });

  test("pages join without a gap or a repeat, even among requests of one moment", async ({ store }) => {
    for (let made = 0; made < 7; made += 1) await claimed(store, { at: noon + (made > 4 ? 1 : 0) });
    const whole = await idsOf(store, {});

    for (const filter of [{}, { states: liveStates }]) {
      const paged: string[] = [];
      let before: RequestQuery["before"];
      for (let page = 0; page < 5; page += 1) {
        const rows = await store.requests({ ...filter, limit: 2, ...(before && { before }) });
        paged.push(...rows.map(({ id }) => id));
        before = rows.at(-1) ?? before;
      }
      expect(paged).toEqual(whole);
    }
  });

  test("remembers the first delivery of an answer, and changes nothing else by it", async ({
    store,
    other,
  }) => {
    const record = await answered(store);

    await store.markDelivered(record.id, noon + 50);
    await other.markDelivered(record.id, noon + 60);

    expect(await other.load(record.id)).toEqual({ ...record, deliveredAt: noon + 50 });
  });

  test("a request without an end has no delivery", async ({ store }) => {
    const record = await claimed(store);

    await store.markDelivered(record.id, noon);
    await store.markDelivered(randomUUID(), noon);

    expect(await store.load(record.id)).toEqual(record);
  });

  test("there is no request and no answer under an id that was never claimed", async ({ store }) => {
    expect(await store.load(randomUUID())).toBeNull();
    expect(await store.result(randomUUID())).toBeNull();
    expect(await store.journal(randomUUID())).toEqual([]);
  });
}

import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Claim, RequestRecord, Store } from "../../../src/store/store.ts";
import {
  abandoned,
  aClaim,
  accepted,
  answered,
  claimed,
  digestsOf,
  lived,
  lost,
  noon,
  rejected,
} from "../life.ts";
import type { StoreTest } from "./store-test.ts";

const digests = digestsOf({ message: "the very same" });
const windowMs = 600_000;
const years = 10 ** 11;

/** The same call again, made without an id. */
function again(at: number, changes: Partial<Claim> = {}): Claim {
  return aClaim({ idGiven: false, digests, at, joinWindowMs: windowMs, ...changes });
}

const first = (store: Store) => claimed(store, { digests });

export function equalCalls(test: StoreTest): void {
  test("joins one that is live, however old it is", async ({ store }) => {
    const record = await first(store);

    expect(await store.claim(again(noon + years))).toEqual({ kind: "joined", record });
    expect(await store.totals()).toMatchObject({ requests: 1, sessions: 1 });
  });

  test("joins one that can be recovered, however old it is", async ({ store }) => {
    const record = await lived(store, await first(store), accepted(), lost);

    expect(record.state).toBe("recovery_required");
    expect(await store.claim(again(noon + years))).toEqual({ kind: "joined", record });
  });

  test("joins one whose outcome nobody knows, for as long as the window", async ({ store }) => {
    const record = await lived(store, await first(store), lost);

    expect(record.state).toBe("unknown_outcome");
    expect(await store.claim(again(record.updatedAt + windowMs))).toEqual({ kind: "joined", record });
    expect(await store.claim(again(record.updatedAt + windowMs + 1))).toMatchObject({ kind: "claimed" });
  });

  test("joins one that finished unheard, for as long as the window", async ({ store }) => {
    const record = await answered(store, { digests });
    const finishedAt = record.finishedAt ?? 0;

    expect(await store.claim(again(finishedAt + windowMs))).toEqual({ kind: "joined", record });
    expect(await store.claim(again(finishedAt + windowMs + 1))).toMatchObject({ kind: "claimed" });
  });

  test("joins a failure that nobody heard of", async ({ store }) => {
    const record = await lived(store, await first(store), rejected);

    expect(await store.claim(again(noon + 5))).toEqual({ kind: "joined", record });
  });

  test("joins none that was delivered", async ({ store }) => {
    const record = await answered(store, { digests });
    await store.markDelivered(record.id, noon + 5);

    expect(await store.claim(again(noon + 6))).toMatchObject({ kind: "claimed" });
  });

  test("joins none when the caller chose an id: a fresh id forces a new one", async ({ store }) => {
    await first(store);

    expect(await store.claim(again(noon + 1, { idGiven: true }))).toMatchObject({ kind: "claimed" });
  });

  test("joins none of another tool or with other arguments", async ({ store }) => {
    await first(store);

    const otherTool = await store.claim(again(noon + 1, { tool: "review_plan" }));
    const otherArguments = await store.claim(again(noon + 1, { digests: digestsOf({ message: "another" }) }));

    expect([otherTool.kind, otherArguments.kind]).toEqual(["claimed", "claimed"]);
  });

  test("joins the newest of several", async ({ store }) => {
    await first(store);
    const newest = await claimed(store, { digests, at: noon + 2 });
    await claimed(store, { digests, at: noon + 1 });

    expect(await store.claim(again(noon + 3))).toEqual({ kind: "joined", record: newest });
  });

  test("joins before it asks whether the session is free or there is room", async ({ store }) => {
    const record = await first(store);
    const full = { live: 0, sessions: 0, requests: 0, contentBytes: 0 };
    const session = { kind: "existing", id: record.sessionId, version: 7 } as const;

    expect(await store.claim(again(noon + 1, { session, limits: full }))).toEqual({ kind: "joined", record });
  });

  test("two equal calls at once are one request", async ({ store, other }) => {
    const outcomes = await Promise.all([store, other, store, other].map((one) => one.claim(again(noon))));

    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["claimed", "joined", "joined", "joined"]);
  });

  test("a match foretells what a claim would meet, and writes nothing", async ({ store, other }) => {
    const live = await first(store);
    const settled = await lived(
      store,
      await claimed(store, { digests: digestsOf({ message: "gone" }) }),
      lost,
      abandoned,
    );
    const calls = [
      again(noon + 1),
      again(noon + 1, { idGiven: true }),
      again(noon + 1, { id: live.id }),
      again(noon + 1, { id: live.id, tool: "review_plan" }),
      again(noon + 1, { id: settled.id, digests: digestsOf({ message: "gone" }) }),
      again(noon + years, { digests: digestsOf({ message: "gone" }) }),
    ];
    const before = await other.totals();

    const matches = await Promise.all(calls.map((call) => store.match(call)));

    expect(matches.map((match) => match?.kind)).toEqual([
      "joined",
      undefined,
      "replayed",
      "conflict",
      "replayed",
      undefined,
    ]);
    expect(await other.totals()).toEqual(before);
    for (const [place, call] of calls.entries()) {
      const outcome = await store.claim({ ...call, eventId: randomUUID() });
      expect(outcome).toEqual(matches[place] ?? { kind: "claimed", record: expect.anything() });
      if (outcome.kind === "claimed") await settle(store, outcome.record);
    }
  });
}

/** Out of the way of the next call. */
async function settle(store: Store, record: RequestRecord) {
  await lived(store, record, rejected);
  await store.deleteSession(record.sessionId);
}

import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { rehydrate } from "../../../machines/snapshots.ts";
import type { Claim, Store } from "../../../src/store/store.ts";
import {
  abandoned,
  aClaim,
  anAnswer,
  answered,
  claimed,
  completed,
  digestsOf,
  lived,
  lost,
  newSession,
  noon,
  rejected,
  reserveBytes,
  settings,
  wide,
} from "../life.ts";
import type { StoreTest } from "./store-test.ts";

const existing = (id: string, version: number): Claim["session"] => ({ kind: "existing", id, version });

/** Everything a refused claim could have left behind. */
async function traces(store: Store) {
  return {
    totals: await store.totals(),
    sessions: await store.sessions({ after: null, limit: 100 }),
    requests: await store.requests({ limit: 100 }),
  };
}

export function claims(test: StoreTest): void {
  test("a claim is there, owned, at version 0 and epoch 1, with its first journal row", async ({
    store,
    other,
  }) => {
    const claim = aClaim();

    const outcome = await store.claim(claim);

    expect(outcome).toEqual({
      kind: "claimed",
      record: {
        id: claim.id,
        sessionId: claim.session.id,
        turn: 1,
        tool: "chat",
        provider: "test",
        endpoint: "endpoint-1",
        settings,
        state: "claimed",
        machineVersion: claim.machineVersion,
        snapshot: claim.snapshot,
        version: 0,
        epoch: 1,
        owner: "owner-1",
        leaseUntil: noon + 30_000,
        responseId: null,
        usage: null,
        createdAt: noon,
        updatedAt: noon,
        finishedAt: null,
        deliveredAt: null,
        prunedAt: null,
      },
    });
    expect(await other.load(claim.id)).toEqual(outcome.kind === "claimed" && outcome.record);
    expect(await other.journal(claim.id)).toEqual([
      {
        seq: 0,
        note: 0,
        eventId: claim.eventId,
        type: "claimed",
        payload: claim.input,
        at: noon,
        process: "process-1",
        state: "claimed",
      },
    ]);
  });

  test("what was stored goes on where it stopped: a restart changes nothing", async ({ store, other }) => {
    const claim = aClaim();
    await store.claim(claim);

    const stored = await other.load(claim.id);

    expect(rehydrate(1, stored?.snapshot).value).toEqual({ claimed: "sending" });
  });

  test("a new session comes with its first claim", async ({ store }) => {
    const session = newSession("Answer in verse.");

    await claimed(store, { session });

    expect(await store.session(session.id)).toMatchObject({
      id: session.id,
      name: null,
      provider: "test",
      defaults: { model: "test-model" },
      instructions: "Answer in verse.",
      lastResponseId: null,
      lastResponseAt: null,
      createdAt: noon,
      updatedAt: noon,
    });
  });

  test("the same id with the same arguments is the same request, from any process", async ({
    store,
    other,
  }) => {
    const claim = aClaim();
    const record = await claimed(store, claim);
    const before = await traces(store);

    const again = await other.claim({
      ...claim,
      session: newSession(),
      owner: "owner-2",
      eventId: randomUUID(),
    });

    expect(again).toEqual({ kind: "replayed", record });
    expect(await traces(store)).toEqual(before);
  });

  test("a settled request replays as it settled", async ({ store }) => {
    const claim = aClaim();
    const record = await answered(store, claim);

    expect(await store.claim(claim)).toEqual({ kind: "replayed", record });
  });

  test("the same id with other arguments is refused, naming the fields that differ", async ({ store }) => {
    const id = randomUUID();
    await claimed(store, { id, digests: digestsOf({ message: "a", model: "m", effort: "low" }) });
    const before = await traces(store);

    const other = await store.claim(
      aClaim({ id, digests: digestsOf({ message: "b", model: "m", verbosity: "high" }) }),
    );

    expect(other).toEqual({ kind: "conflict", fields: ["effort", "message", "verbosity"] });
    expect(await traces(store)).toEqual(before);
  });

  test("the same id for another tool is refused, naming the tool", async ({ store }) => {
    const claim = aClaim();
    await claimed(store, claim);

    expect(await store.claim({ ...claim, tool: "review_plan" })).toEqual({
      kind: "conflict",
      fields: ["tool"],
    });
  });

  test("of many processes that claim one id at once, one has it and the others are told of it", async ({
    store,
    other,
  }) => {
    const claim = aClaim();
    const rivals = Array.from({ length: 20 }, (_, place) => {
      const rival = { ...claim, session: newSession(), owner: `owner-${place}`, eventId: randomUUID() };
      return (place % 2 === 0 ? store : other).claim(rival);
    });

    const kinds = (await Promise.all(rivals)).map(({ kind }) => kind).sort();

    expect(kinds).toEqual(["claimed", ...Array.from({ length: 19 }, () => "replayed")]);
    expect(await store.totals()).toMatchObject({ requests: 1, sessions: 1 });
  });

  test("turns of a session are numbered from 1", async ({ store }) => {
    const first = await answered(store);
    const session = await store.session(first.sessionId);

    const second = await claimed(store, { session: existing(first.sessionId, session?.version ?? -1) });

    expect([first.turn, second.turn]).toEqual([1, 2]);
  });

  test("a claim is a sign of life of its session", async ({ store }) => {
    const first = await lived(store, await claimed(store), rejected);
    const session = await store.session(first.sessionId);
    const at = noon + 50_000;

    await claimed(store, { session: existing(first.sessionId, session?.version ?? -1), at });

    expect(await store.session(first.sessionId)).toMatchObject({ updatedAt: at, version: session?.version });
  });

  test("a claim in a session that is not there is refused and leaves nothing", async ({ store }) => {
    const before = await traces(store);

    const outcome = await store.claim(aClaim({ session: existing(randomUUID(), 0) }));

    expect(outcome).toEqual({ kind: "session_unknown" });
    expect(await traces(store)).toEqual(before);
  });

  test("a claim that read the session before it was configured must read again", async ({ store }) => {
    const { sessionId } = await answered(store);
    const read = await store.session(sessionId);
    await store.configureSession(sessionId, { defaults: { model: "other-model" } }, noon + 9, wide);

    const outcome = await store.claim(aClaim({ session: existing(sessionId, read?.version ?? -1) }));

    expect(outcome).toEqual({ kind: "session_moved" });
  });

  test("a claim that read the session before its last answer must read again", async ({ store }) => {
    const record = await claimed(store);
    const read = await store.session(record.sessionId);
    await lived(store, record, completed(anAnswer("resp_direct")));

    const outcome = await store.claim(aClaim({ session: existing(record.sessionId, read?.version ?? -1) }));

    expect(outcome).toEqual({ kind: "session_moved" });
  });

  test("a session that works on a request takes no second one, and says which is in the way", async ({
    store,
  }) => {
    const by = await claimed(store);
    const session = existing(by.sessionId, 0);
    const before = await traces(store);

    expect(await store.claim(aClaim({ session }))).toEqual({ kind: "blocked", by });
    expect(await traces(store)).toEqual(before);
  });

  test("an unresolved request blocks its session until it is settled", async ({ store }) => {
    const unresolved = await lived(store, await claimed(store), lost);
    const session = existing(unresolved.sessionId, 0);

    const blocked = await store.claim(aClaim({ session }));
    await lived(store, unresolved, abandoned);
    const free = await store.claim(aClaim({ session }));

    expect(blocked).toEqual({ kind: "blocked", by: unresolved });
    expect(free.kind).toBe("claimed");
  });

  test("of two claims that continue one session at once, one runs and the other is told which", async ({
    store,
    other,
  }) => {
    const { sessionId } = await answered(store);
    const version = (await store.session(sessionId))?.version ?? -1;

    const outcomes = await Promise.all(
      [store, other].map((one) => one.claim(aClaim({ session: existing(sessionId, version) }))),
    );

    const [runs, waits] = outcomes.sort((a) => (a.kind === "claimed" ? -1 : 1));
    expect(runs?.kind).toBe("claimed");
    expect(waits).toEqual({ kind: "blocked", by: runs?.kind === "claimed" && runs.record });
  });

  test("an id whose session was deleted is simply new", async ({ store }) => {
    const claim = aClaim({ reserveBytes });
    const { sessionId } = await answered(store, claim);
    await store.deleteSession(sessionId);

    const outcome = await store.claim({ ...claim, session: newSession(), eventId: randomUUID() });

    expect(outcome).toMatchObject({ kind: "claimed", record: { version: 0, epoch: 1, turn: 1 } });
  });

  test("every handle on a database has the same digest key, and no two databases do", async ({
    store,
    other,
  }) => {
    expect(store.digestKey).toHaveLength(32);
    expect(other.digestKey).toEqual(store.digestKey);
    expect(new Set(store.digestKey).size).toBeGreaterThan(8);
  });
}

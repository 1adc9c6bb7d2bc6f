import { expect } from "vitest";
import type { RetentionOrder } from "../../../src/store/store.ts";
import {
  aClaim,
  accepted,
  anAnswer,
  answered,
  claimed,
  completed,
  lived,
  newSession,
  noon,
  rejected,
  reserveBytes,
  step,
  versionFence,
  written,
} from "../life.ts";
import type { StoreTest } from "./store-test.ts";

const asked = (message: string, prompt: string | null = null) => ({ question: { message, prompt } });
const existing = (id: string, version: number) => ({ session: { kind: "existing" as const, id, version } });

const pruning: RetentionOrder = {
  at: noon + 10,
  owner: "process-1",
  resultsFinishedBefore: noon + 1_000_000,
  sessionsIdleBefore: 0,
  batch: 50,
};

export function questions(test: StoreTest): void {
  test("a question is stored with its claim, and counted by its bytes", async ({ store, other }) => {
    const record = await claimed(store, asked("Grüße?", "Frage"));
    expect(await other.question(record.id)).toEqual({ message: "Grüße?", prompt: "Frage" });
    expect((await store.totals()).contentBytes).toBe(reserveBytes + 8 + 5);
  });

  test("nothing is stored of a question that is not to be kept", async ({ store }) => {
    const record = await claimed(store);
    expect(await store.question(record.id)).toBeNull();
  });

  test("past turns come in order, with what is kept of each", async ({ store, other }) => {
    const session = newSession();
    await answered(store, { session, ...asked("One?") }, "1");
    await answered(store, { ...existing(session.id, 1), ...asked("Two?") }, "2");
    await answered(store, existing(session.id, 2), "3");
    const turns = await other.pastTurns(session.id);
    expect(turns.map(({ message, outcome }) => [message, outcome?.text])).toEqual([
      ["One?", "1"],
      ["Two?", "2"],
      [null, "3"],
    ]);
  });

  test("a turn that the session does not go on from is no past turn, and its question goes", async ({
    store,
  }) => {
    const session = newSession();
    const record = await claimed(store, { session, ...asked("One?") });
    await lived(store, record, rejected);
    expect(await store.pastTurns(session.id)).toEqual([]);
    expect(await store.question(record.id)).toBeNull();
    expect((await store.totals()).contentBytes).toBe(0);
  });

  test("a question goes with its answer when that is pruned, and the turn is told as no longer whole", async ({
    store,
  }) => {
    const session = newSession();
    const record = await answered(store, { session, ...asked("One?") });
    await store.retain(pruning);
    expect(await store.pastTurns(session.id)).toEqual([
      { requestId: record.id, message: null, outcome: null },
    ]);
    expect((await store.totals()).contentBytes).toBe(0);
  });

  test("a session is deleted with its questions, and their room is free again", async ({ store }) => {
    const session = newSession("Be brief.");
    await answered(store, { session, ...asked("One?", "p".repeat(100)) });
    await store.deleteSession(session.id);
    expect((await store.totals()).contentBytes).toBe(0);
  });

  test("a question that does not fit refuses the claim, which leaves nothing", async ({ store }) => {
    const limits = { live: 10, sessions: 10, requests: 10, contentBytes: reserveBytes + 10 };
    const outcome = await store.claim({ ...aClaim(), ...asked("q".repeat(11)), limits });
    expect(outcome).toMatchObject({ kind: "full", limit: "content" });
    expect((await store.totals()).contentBytes).toBe(0);
  });

  test("what waits for a person has no owner, takes no slot, and may be settled by anybody", async ({
    store,
    other,
  }) => {
    const record = await claimed(store, asked("You?", "prompt"));
    const handed = written(
      await store.commit(step(record, accepted("manual_1"), { lease: { kind: "release" } })),
    );
    expect(handed).toMatchObject({ state: "streaming", owner: null, leaseUntil: null });
    expect((await store.totals()).live).toBe(0);
    const answer = step(handed, completed(anAnswer("manual_1", "Me.")), { fence: versionFence(handed) });
    expect(written(await other.commit(answer))).toMatchObject({ state: "completed" });
    expect((await store.totals()).live).toBe(0);
  });
}

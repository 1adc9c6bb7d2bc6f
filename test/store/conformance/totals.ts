import fc from "fast-check";
import { expect } from "vitest";
import { isFinal, isLive } from "../../../machines/snapshots.ts";
import type { RequestRecord, Store, Totals } from "../../../src/store/store.ts";
import {
  abandoned,
  aClaim,
  accepted,
  anAnswer,
  completed,
  lost,
  newSession,
  noon,
  rejected,
  reserveBytes,
  step,
  successorFence,
  wide,
} from "../life.ts";
import type { StoreTest } from "./store-test.ts";

/** The totals counted from what is really there. */
async function recount(store: Store): Promise<Totals> {
  const sessions = await store.sessions({ after: null, limit: 1_000 });
  const requests = await store.requests({ limit: 1_000 });
  const contents = [
    ...sessions.map(({ instructions }) => sizeOf(instructions)),
    ...(await Promise.all(requests.map(contentOf))),
  ];
  return {
    sessions: sessions.length,
    requests: requests.length,
    live: requests.filter(({ state, owner }) => isLive(state) && owner !== null).length,
    contentBytes: contents.reduce((sum, bytes) => sum + bytes, 0),
  };

  async function contentOf({ id, state }: RequestRecord): Promise<number> {
    if (!isFinal(state)) return reserveBytes;
    const result = await store.result(id);
    return result ? sizeOf(JSON.stringify(result)) : 0;
  }
}

function sizeOf(text: string | null): number {
  return Buffer.byteLength(text ?? "");
}

/** One thing a process might do to the `pick`-th of what is there. */
type Deed = { what: (typeof deeds)[number]; pick: number; text: string };

const deeds = [
  "ask anew",
  "ask on",
  "accept",
  "answer",
  "reject",
  "lose",
  "abandon",
  "take over",
  "wait for a person",
  "deliver",
  "configure",
  "delete",
  "retain",
  "repeat a stale commit",
] as const;

const deedArbitrary: fc.Arbitrary<Deed> = fc.record({
  what: fc.constantFrom(...deeds),
  pick: fc.nat(50),
  text: fc.string({ maxLength: 40, unit: "grapheme" }),
});

async function perform(store: Store, { what, pick, text }: Deed, at: number): Promise<void> {
  const requests = await store.requests({ limit: 1_000 });
  const sessions = await store.sessions({ after: null, limit: 1_000 });
  const record = requests[pick % Math.max(1, requests.length)];
  const session = sessions[pick % Math.max(1, sessions.length)];
  const asked = aClaim({
    at,
    session: newSession(text || null),
    leaseUntil: at + 9,
    digests: { whole: text, fields: {} },
  });
  if (what === "ask anew" || !record || !session) return void (await store.claim(asked));
  const responseId = record.responseId ?? `resp_${record.id}`;
  const commit = (...args: Parameters<typeof step> extends [unknown, ...infer Rest] ? Rest : never) =>
    store.commit(step(record, ...args));
  switch (what) {
    case "ask on":
      return void (await store.claim({
        ...asked,
        session: { kind: "existing", id: session.id, version: session.version },
      }));
    case "accept":
      return void (await commit(accepted(responseId)));
    case "answer":
      return void (await commit(completed(anAnswer(responseId, text))));
    case "reject":
      return void (await commit(rejected));
    case "lose":
      return void (await commit(lost));
    case "abandon":
      return void (await commit(abandoned));
    case "take over":
      return void (await commit({ type: "lease.expired" }, { fence: successorFence(record) }));
    case "wait for a person":
      return void (await commit(accepted(responseId), { lease: { kind: "release" } }));
    case "deliver":
      return store.markDelivered(record.id, at);
    case "configure":
      return void (await store.configureSession(
        session.id,
        { instructions: text || null, name: text || null },
        at,
        wide,
      ));
    case "delete":
      return void (await store.deleteSession(session.id));
    case "retain":
      return void (await store.retain({
        at,
        owner: "process-1",
        resultsFinishedBefore: at - 5,
        sessionsIdleBefore: at - 20,
        batch: 3,
      }));
    case "repeat a stale commit":
      return void (await commit(rejected, { fence: { kind: "version", version: record.version - 1 } }));
  }
}

export function totals(test: StoreTest): void {
  test("an empty database has nothing in it", async ({ store }) => {
    expect(await store.totals()).toEqual({ sessions: 0, requests: 0, live: 0, contentBytes: 0 });
  });

  test("totals are what a count finds, whatever was done in whatever order", async ({ database }) => {
    const store = await database.open();
    let at = noon;
    await fc.assert(
      fc.asyncProperty(fc.array(deedArbitrary, { minLength: 5, maxLength: 40 }), async (todo) => {
        for (const deed of todo) {
          at += 1;
          await perform(store, deed, at);
        }
        expect(await store.totals()).toEqual(await recount(store));
      }),
      { numRuns: 25, seed: 7, endOnFailure: true },
    );
    await store.close();
  });
}

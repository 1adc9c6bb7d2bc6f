/** What holds for every request in a store, whatever happened to it: looked at from outside, by its id. */
import { expect } from "vitest";
import type { Effect } from "../../../machines/effects.ts";
import { isFinal, isLive, rehydrate, stateOf } from "../../../machines/snapshots.ts";
import type { JournalRow, RequestRecord, Store } from "../../../src/store/store.ts";

const answers = [
  "upstream.completed",
  "upstream.refused",
  "upstream.incomplete",
  "upstream.failed",
  "upstream.cancelled",
  "stream.stopped",
];
const page = 500;

/** Row, journal, result and session pointer of one request agree with each other and with its snapshot. */
export async function expectSound(store: Store, id: string): Promise<RequestRecord> {
  const record = await store.load(id);
  if (record === null) throw new Error(`There is no request ${id}.`);
  const written = (await store.journal(id)).filter(({ note }) => note === 0);
  expectRow(record);
  expectJournal(record, written);
  expect((await store.result(id)) !== null).toBe(isFinal(record.state) && endedByAnswer(written));
  await expectPointer(store, record);
  return record;
}

/** A request with a session to itself holds an answer and moved its session exactly when it was asked to. */
export async function expectKept(
  store: Store,
  { id, sessionId }: RequestRecord,
  asked: readonly Effect[],
): Promise<void> {
  const session = await store.session(sessionId);
  const advances = asked.filter((effect) => effect.type === "advanceSession");
  expect((await store.result(id)) !== null).toBe(asked.some(({ type }) => type === "keepResult"));
  expect(session?.version).toBe(advances.length);
  expect(session?.lastResponseId).toBe(advances[0]?.responseId ?? null);
}

function expectRow(record: RequestRecord): void {
  const snapshot = rehydrate(record.machineVersion, record.snapshot);
  const live = isLive(record.state);
  expect(record.state).toBe(stateOf(snapshot));
  expect(record.finishedAt !== null).toBe(isFinal(record.state));
  expect(snapshot.status === "done").toBe(isFinal(record.state));
  expect([record.owner !== null, record.leaseUntil !== null]).toEqual([live, live]);
  if (record.responseId !== null) expect(record.responseId).toBe(snapshot.context.upstream?.responseId);
}

function expectJournal(record: RequestRecord, written: readonly JournalRow[]): void {
  expect(written.map(({ seq }) => seq)).toEqual(Array.from({ length: record.version + 1 }, (_, seq) => seq));
  expect(written.at(-1)?.state).toBe(record.state);
  expect(written.slice(0, -1).filter(({ state }) => isFinal(state))).toEqual([]);
}

function endedByAnswer(written: readonly JournalRow[]): boolean {
  return answers.includes(written.at(-1)?.type ?? "");
}

/** The pointer names an answer or a refusal of this session, and no turn moved it twice. */
async function expectPointer(store: Store, { sessionId }: RequestRecord): Promise<void> {
  const session = await store.session(sessionId);
  if (session === null) throw new Error(`There is no session ${sessionId}.`);
  const settled = await store.requests({ sessionId, states: ["completed", "refused"], limit: page });
  expect(session.version).toBeLessThanOrEqual(settled.length);
  const names = settled.map(
    ({ machineVersion, snapshot }) => rehydrate(machineVersion, snapshot).context.upstream?.responseId,
  );
  if (session.lastResponseId !== null) expect(names).toContain(session.lastResponseId);
}

/** The books say what the rows say. `reserveBytes` is what each claim set aside for its answer. */
export async function expectBalanced(store: Store, reserveBytes: number): Promise<void> {
  const records = await everyRequest(store);
  let contentBytes = 0;
  for (const { id, finishedAt } of records) {
    const result = await store.result(id);
    contentBytes +=
      finishedAt === null ? reserveBytes : Buffer.byteLength(result ? JSON.stringify(result) : "");
  }
  const live = records.filter(({ state, owner }) => isLive(state) && owner !== null).length;
  const sessions = new Set(records.map(({ sessionId }) => sessionId)).size;
  expect(await store.totals()).toEqual({ requests: records.length, sessions, live, contentBytes });
}

async function everyRequest(store: Store): Promise<RequestRecord[]> {
  const found: RequestRecord[] = [];
  for (;;) {
    const last = found.at(-1);
    const more = await store.requests({
      limit: page,
      ...(last && { before: { createdAt: last.createdAt, id: last.id } }),
    });
    found.push(...more);
    if (more.length < page) return found;
  }
}

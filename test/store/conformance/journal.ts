import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { abandoned, accepted, anAnswer, answered, claimed, completed, lived, lost, noon } from "../life.ts";
import type { StoreTest } from "./store-test.ts";

const note = (type: string, at = noon) => ({ type, payload: { tries: 1 }, at, process: "process-2" });

export function journal(test: StoreTest): void {
  test("tells a request's life in order, one row a version", async ({ store }) => {
    const record = await lived(
      store,
      await claimed(store),
      accepted("resp_1"),
      lost,
      completed(anAnswer("resp_1")),
    );

    const rows = await store.journal(record.id);

    expect(rows.map(({ seq, note, type, state }) => [seq, note, type, state])).toEqual([
      [0, 0, "claimed", "claimed"],
      [1, 0, "upstream.accepted", "streaming"],
      [2, 0, "upstream.lost", "recovery_required"],
      [3, 0, "upstream.completed", "completed"],
    ]);
  });

  test("a note stands beside the version it was made at and changes no record", async ({ store, other }) => {
    const first = await claimed(store);
    await store.note(first.id, note("retrieval.faulted"));
    const record = await lived(store, first, lost, abandoned);
    await store.note(record.id, note("late", noon + 5));
    await other.note(record.id, note("later", noon + 6));

    const rows = await other.journal(record.id);

    expect(rows.map(({ seq, note, type, state }) => [seq, note, type, state])).toEqual([
      [0, 0, "claimed", "claimed"],
      [0, 1, "retrieval.faulted", "claimed"],
      [1, 0, "upstream.lost", "unknown_outcome"],
      [2, 0, "caller.abandoned", "abandoned"],
      [2, 1, "late", "abandoned"],
      [2, 2, "later", "abandoned"],
    ]);
    expect(rows[4]).toMatchObject({ payload: { tries: 1 }, at: noon + 5, process: "process-2" });
    expect(await store.load(record.id)).toEqual(record);
  });

  test("keeps the first 200 notes of a request, whatever its versions", async ({ store }) => {
    const record = await claimed(store);
    for (let made = 0; made < 150; made += 1) await store.note(record.id, note(`early ${made}`));
    await lived(store, record, lost);
    for (let made = 0; made < 60; made += 1) await store.note(record.id, note(`late ${made}`));

    const notes = (await store.journal(record.id)).filter((row) => row.note > 0);

    expect(notes).toHaveLength(200);
    expect(notes.at(0)?.type).toBe("early 0");
    expect(notes.at(-1)).toMatchObject({ type: "late 49", seq: 1, note: 50 });
  });

  test("a note on a request that is gone is dropped", async ({ store }) => {
    const { id, sessionId } = await answered(store);
    await store.deleteSession(sessionId);

    await store.note(id, note("late"));
    await store.note(randomUUID(), note("lost"));

    expect(await store.journal(id)).toEqual([]);
  });
}

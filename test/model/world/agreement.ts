/** What a life really led to, in the terms in which the model can be held against it. */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { persist, type RequestSnapshot } from "../../../machines/snapshots.ts";
import { replayJournal } from "../../../src/engine/replay.ts";
import type { JournalRow, Store } from "../../../src/store/store.ts";
import { expectSound } from "../door/invariants.ts";

/** The life so far is the model's, but for names, times and amounts, which only the world knows. */
export function expectModelled(journal: readonly JournalRow[], modelled: RequestSnapshot): void {
  expect(essence(replayJournal(journal))).toEqual(essence(modelled));
}

export function isModelled(stored: RequestSnapshot, modelled: RequestSnapshot): boolean {
  return isDeepStrictEqual(essence(stored), essence(modelled));
}

/** The record is sound, and nothing but the machine made it: its whole journal replays to the stored snapshot. */
export async function expectReplayed(store: Store, id: string): Promise<void> {
  const { snapshot } = await expectSound(store, id);
  expect(persist(replayJournal(await store.journal(id)))).toEqual(snapshot);
}

function essence({ value, status, context }: RequestSnapshot) {
  const { upstream, cancel, missingSince, failure, lostTo, reason, ...plain } = context;
  return {
    value,
    status,
    input: { ...plain, predecessor: plain.predecessor !== null },
    // A whole reply and a stream echo differently; once it is settled nobody asks any more.
    upstream: status === "done" ? upstream?.contextIgnored : kindOf(upstream),
    wish: cancel?.asking,
    missing: missingSince !== null,
    failure: failure?.code,
    reason,
    lostTo,
  };
}

function kindOf(upstream: RequestSnapshot["context"]["upstream"]) {
  if (upstream === null) return null;
  const { background, retrievable, storeIgnored, contextIgnored } = upstream;
  return { background, retrievable, storeIgnored, contextIgnored };
}

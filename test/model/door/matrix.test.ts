import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Client from "better-sqlite3";
import { afterAll, expect, describe as group, test } from "vitest";
import { decide } from "../../../machines/decide.ts";
import { eventAuthority, type RequestEvent } from "../../../machines/events.ts";
import { persist, type RequestSnapshot, stateOf } from "../../../machines/snapshots.ts";
import { createAct } from "../../../src/engine/act.ts";
import { createDoor, type Sent } from "../../../src/engine/door.ts";
import type { Identity } from "../../../src/engine/identity.ts";
import { createDesk } from "../../../src/engine/work.ts";
import type { RequestRecord } from "../../../src/store/store.ts";
import { events, profiles } from "../../machine/samples.ts";
import { transitionTaken } from "../../machine/walk.ts";
import { recordCoverage, unseen } from "../coverage.ts";
import { cells, placeOf, placesOf } from "../coverage-universe.ts";
import { expectKept } from "./invariants.ts";
import { openPlace, owner, type Place, stranger, unstamped } from "./place.ts";

const all = recordCoverage("matrix", "every profile");
afterAll(() => all.write());

/** Places of all profiles that differ in what guards look at, what a request was started with included. */
const places = [
  ...new Map(
    Object.values(profiles)
      .flatMap(placesOf)
      .map((place) => [matrixKey(place), place]),
  ).values(),
];

/**
 * In a final state nothing is asked any more, so one place for each is enough; and how often and how long another
 * attempt may go out is asked only while a request is claimed.
 */
function matrixKey({ status, value, context }: RequestSnapshot): string {
  if (status !== "active") return stateOf({ value });
  const { predecessor, retrievable, maxAttempts, predecessorRetryUntil } = context;
  if (stateOf({ value }) === "claimed")
    return JSON.stringify([
      placeOf({ value, context }),
      predecessor,
      retrievable,
      maxAttempts,
      predecessorRetryUntil,
    ]);
  return JSON.stringify([placeOf({ value, context: { ...context, attempts: 0 } }), predecessor, retrievable]);
}

group(`each of ${events.length} events in each of ${places.length} places`, () => {
  test.each([owner, stranger])(
    "is decided as the model says, or refused with nothing written, for $owner",
    {
      timeout: 90_000,
    },
    async (sender) => {
      const place = await openPlace(mkdtempSync(join(tmpdir(), "claimcheck-model-")));
      const witness = witnessOf(place.file);
      try {
        for (const before of places) await everyEvent(place, witness, before, sender);
      } finally {
        witness.close();
        await place.close();
      }
    },
  );

  test("reaches every state with every event", () => {
    expect(unseen([all], "cells", cells)).toEqual([]);
  });
});

async function everyEvent(place: Place, witness: Witness, before: RequestSnapshot, sender: Identity) {
  let record = await place.put(before);
  for (const event of events) {
    const seen = witness.look(record);
    const sent = await place.send(record.id, event, sender);
    const moved = expectDecision(sent, record, event, before, sender);
    if (!moved) expect(witness.look(record)).toEqual(seen);
    else {
      expect((await place.store.load(record.id))?.version).toBe(record.version + 1);
      await expectKept(place.store, record, decide(before, event).effects);
    }
    if (moved) record = await place.put(before);
  }
}

/** @returns whether the request moved */
function expectDecision(
  sent: Sent,
  record: RequestRecord,
  event: RequestEvent,
  before: RequestSnapshot,
  sender: Identity,
): boolean {
  const { next, effects, changed } = decide(before, event);
  const mayWrite = eventAuthority[event.type] !== "owner" || record.owner === sender.owner;
  const expected = !mayWrite ? "fenced" : changed ? "moved" : "ignored";
  expect(sent.kind).toBe(expected);
  const moved = sent.kind === "moved";
  const took = moved ? transitionTaken(before, event) : null;
  all.step({ before, event, after: moved ? next : before, took });
  if (!moved) return false;
  expect(sent.record.snapshot).toEqual(JSON.parse(JSON.stringify(persist(next))));
  expect(sent.record.state).toBe(stateOf(next));
  expect(sent.effects).toEqual(effects);
  return true;
}

test("a late answer to an abandoned request leaves a note and nothing else", async () => {
  const place = await openPlace(mkdtempSync(join(tmpdir(), "claimcheck-model-")));
  const witness = witnessOf(place.file);
  const { store, clock } = place;
  const door = createDoor({ store, clock, identity: owner, leaseMs: 30_000, isPersons: () => false });
  const desk = createDesk((error) => {
    throw error;
  });
  const act = createAct({ door, store, desk, clock, identity: owner, perform: () => {} });
  try {
    const abandoned = places.find((one) => stateOf(one) === "abandoned");
    if (!abandoned) throw new Error("No request is ever abandoned.");
    const record = await place.put(abandoned);
    for (const event of events) {
      const { journal: earlier, pulse: _, ...rest } = witness.look(record);
      const sent = await act(record.id, unstamped(event));
      const { journal, pulse: __, ...restAfter } = witness.look(record);
      expect(restAfter).toEqual(rest);
      const notes = journal.slice(earlier.length);
      expect(journal.slice(0, earlier.length)).toEqual(earlier);
      expect(notes).toHaveLength(sent.kind === "ignored" && "outcome" in event ? 1 : 0);
      if (notes.length > 0)
        expect(notes).toMatchObject([{ type: event.type, seq: record.version, event_id: null }]);
    }
  } finally {
    witness.close();
    await place.close();
  }
});

type Witness = ReturnType<typeof witnessOf>;

/** Sees the database from a connection of its own: the rows byte for byte, and whether anybody wrote at all. */
function witnessOf(file: string) {
  const client = new Client(file, { readonly: true });
  const rows = {
    request: client.prepare<[string], object>("select * from requests where id = ?"),
    journal: client.prepare<[string], object>(
      "select * from journal where request_id = ? order by seq, note",
    ),
    result: client.prepare<[string], object>("select * from results where request_id = ?"),
    session: client.prepare<[string], object>("select * from sessions where id = ?"),
    totals: client.prepare<[], object>("select * from totals"),
    /** Moves with every commit of another connection, whichever row it wrote. */
    pulse: client.prepare("PRAGMA data_version").pluck(),
  };
  return {
    look: ({ id, sessionId }: RequestRecord) => ({
      request: rows.request.all(id),
      journal: rows.journal.all(id),
      result: rows.result.all(id),
      session: rows.session.all(sessionId),
      totals: rows.totals.all(),
      pulse: rows.pulse.get(),
    }),
    close: () => client.close(),
  };
}

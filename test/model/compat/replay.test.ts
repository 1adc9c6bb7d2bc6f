import fc from "fast-check";
import { expect, describe as group, test } from "vitest";
import { persist, type RequestSnapshot, stateOf } from "../../../machines/snapshots.ts";
import { JournalDiverges, type Recorded, replayJournal } from "../../../src/engine/replay.ts";
import { recordedLife } from "../../machine/golden/recorded.ts";
import { firstTurn, profiles, sample } from "../../machine/samples.ts";
import { shortestPaths } from "../../machine/walk.ts";
import { anyEvent, anyInput } from "./arbitraries.ts";
import * as lives from "./lives.ts";

group("a journal written by the engine replays to exactly the stored snapshot", () => {
  test.each<[string, () => Promise<lives.Life>, string[]]>([
    ["streamed", lives.streamed, ["claimed", "upstream.accepted", "upstream.completed"]],
    ["refused", lives.refused, ["claimed", "upstream.accepted", "upstream.refused"]],
    [
      "recovered from a dead owner",
      lives.recovered,
      [
        "claimed",
        "upstream.accepted",
        "lease.expired",
        "retrieval.missing",
        "retrieval.pending",
        "upstream.completed",
      ],
    ],
    [
      "cancelled at the second attempt",
      lives.cancelled,
      [
        "claimed",
        "upstream.accepted",
        "caller.cancelled",
        "cancel.faulted",
        "caller.cancelled",
        "stream.stopped",
      ],
    ],
    [
      "abandoned, with the answer noted when it came",
      lives.abandoned,
      ["claimed", "upstream.accepted", "upstream.lost", "caller.abandoned", "note upstream.completed"],
    ],
    [
      "attached by hand",
      lives.attached,
      ["claimed", "upstream.lost", "caller.attached", "upstream.completed"],
    ],
    [
      "given an id that another response has",
      lives.withATakenId,
      ["claimed", "upstream.accepted", "upstream.lost"],
    ],
    [
      "tried three times",
      lives.deferred,
      [
        "claimed",
        "upstream.unstarted",
        "retry.due",
        "upstream.unstarted",
        "retry.due",
        "upstream.accepted",
        "upstream.completed",
      ],
    ],
  ])("%s", async (_, lived, expected) => {
    const { workshop, id } = await lived();
    const journal = await workshop.store.journal(id);
    const record = await workshop.store.load(id);
    expect(journal.map(({ note, type }) => (note > 0 ? `note ${type}` : type))).toEqual(expected);
    expect(persist(replayJournal(journal))).toStrictEqual(record?.snapshot);
  });

  test("and with an id that another response has, what is replayed is the distrust that was decided", async () => {
    const { workshop, id } = await lives.withATakenId();
    const snapshot = replayJournal(await workshop.store.journal(id));
    expect(stateOf(snapshot)).toBe("unknown_outcome");
    expect(snapshot.context.upstream).toMatchObject({ responseId: "resp_same", retrievable: false });
  });
});

test("a journal holds no word of the question, the answer, the refusal or its citations", async () => {
  const { workshop, id } = await lives.refused();
  const written = JSON.stringify(await workshop.store.journal(id));
  expect(written).toContain("resp_2");
  for (const word of ["second", "rather not", "example.org", "Reasons"]) expect(written).not.toContain(word);
});

group("whatever happens to a request, its journal is enough", () => {
  test.each(Object.entries(profiles))("on every shortest path of %s", (_, input) => {
    const paths = shortestPaths(input);
    expect(paths.length).toBeGreaterThan(50);
    for (const path of paths) {
      const { rows, snapshot } = recordedLife(
        input,
        path.map(({ event }) => event),
      );
      expect(stored(replayJournal(rows))).toEqual(stored(snapshot));
      expect(stored(snapshot)).toEqual(stored(path.at(-1)?.after ?? snapshot));
    }
  });

  test("on any way through the machine, with any evidence, at any time", () => {
    fc.assert(
      fc.property(anyInput, fc.array(anyEvent, { maxLength: 24 }), (input, happened) => {
        const { rows, snapshot } = recordedLife(input, happened);
        expect(stored(replayJournal(rows))).toEqual(stored(snapshot));
      }),
      { numRuns: 2_000 },
    );
  });
});

group("a journal that this machine would not have written is refused by its row", () => {
  const { rows } = recordedLife(firstTurn, [
    sample("upstream.accepted"),
    sample("upstream.refused", { at: 1_000_000 }),
  ]);
  const changed = (seq: number, changes: Partial<Recorded>) =>
    rows.map((row) => (row.seq === seq ? { ...row, ...changes } : row));

  test.each<[string, readonly Recorded[], { seq: number; says: string | null; message: RegExp }]>([
    [
      "another state",
      changed(2, { type: "upstream.completed" }),
      { seq: 2, says: "completed", message: /diverges: recorded refused, this machine says completed$/ },
    ],
    [
      "a claim without what the machine starts from",
      changed(0, { payload: {} }),
      { seq: 0, says: null, message: /recorded claimed, this machine says nothing: the claim/ },
    ],
    [
      "a claim in another state",
      changed(0, { state: "streaming" }),
      { seq: 0, says: "claimed", message: /recorded streaming, this machine says claimed$/ },
    ],
    ["no claim", rows.slice(1), { seq: 1, says: null, message: /row 0 should come here$/ }],
    [
      "something else than a claim first",
      changed(0, { type: "upstream.lost" }),
      { seq: 0, says: null, message: /begins with its claim$/ },
    ],
    ["no row", [], { seq: 0, says: null, message: /recorded nothing, .* there is no row$/ }],
    [
      "a gap",
      rows.filter(({ seq }) => seq !== 1),
      { seq: 2, says: null, message: /row 1 should come here$/ },
    ],
    [
      "an event that does not exist",
      changed(1, { type: "upstream.dreamt" }),
      { seq: 1, says: null, message: /\(upstream\.dreamt\) .* knows no such event$/ },
    ],
    [
      "an event without its evidence",
      changed(1, { payload: { responseId: "resp_1" } }),
      { seq: 1, says: null, message: /cannot be read \(model, sequence, echo\)$/ },
    ],
    [
      "an answer without what upstream said of it",
      changed(2, { payload: { ...rows[2]?.payload, echo: undefined } }),
      { seq: 2, says: null, message: /cannot be read \(outcome\.echo\)$/ },
    ],
    [
      "an event that means nothing there",
      changed(1, { type: "retry.due", payload: {} }),
      { seq: 1, says: "claimed", message: /says claimed: the event means nothing there$/ },
    ],
  ])("%s", (_, journal, expected) => {
    const divergence = divergenceOf(journal);
    expect(divergence).toMatchObject({
      name: "JournalDiverges",
      seq: expected.seq,
      recorded: journal.find(({ seq }) => seq === expected.seq)?.state ?? null,
      says: expected.says,
    });
    expect(divergence.message).toMatch(expected.message);
  });

  test("while notes beside it are passed over, whatever they say", () => {
    const note: Recorded = { seq: 1, note: 1, type: "anything", at: 0, payload: { odd: 1 }, state: "failed" };
    expect(stored(replayJournal([...rows.slice(0, 2), note, ...rows.slice(2)]))).toEqual(
      stored(replayJournal(rows)),
    );
  });
});

/** As it would be stored, through JSON. */
function stored(snapshot: RequestSnapshot): unknown {
  return JSON.parse(JSON.stringify(persist(snapshot)));
}

function divergenceOf(journal: readonly Recorded[]): JournalDiverges {
  try {
    replayJournal(journal);
  } catch (error) {
    if (error instanceof JournalDiverges) return error;
    throw error;
  }
  throw new Error("It was replayed.");
}

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, describe as group, test } from "vitest";
import { begin } from "../../../machines/decide.ts";
import type { Effect } from "../../../machines/effects.ts";
import { requestEventSchema } from "../../../machines/events.ts";
import { persist } from "../../../machines/snapshots.ts";
import { events, profiles } from "../../machine/samples.ts";
import { reserveBytes } from "../../store/life.ts";
import { recordCoverage, unseen } from "../coverage.ts";
import { inert, transitions, universe } from "../coverage-universe.ts";
import { expectBalanced, expectKept, expectSound } from "./invariants.ts";
import { type Path, pathsToReplay } from "./long-paths.ts";
import { openPlace, type Place } from "./place.ts";
import { type Rehydrator, type StoredStep, startRehydrator } from "./rehydrator.ts";

/** What no path can show, each with its reason; one that is shown after all has to leave the list. */
const exceptions: Readonly<Record<string, string>> = {
  "recovery_required retrieval.faulted 0":
    "Neither moves nor acts; the fault becomes a note beside the journal, which the machine has no part in.",
};

const all = new Map(Object.keys(profiles).map((profile) => [profile, recordCoverage("paths", profile)]));
let fresh: Rehydrator;

beforeAll(async () => {
  fresh = await startRehydrator();
});
afterAll(async () => {
  for (const coverage of all.values()) coverage.write();
  await fresh.stop();
});

test("the samples hold every event there is, each as the machine is told it", () => {
  const types = requestEventSchema.options.map((option) => option.shape.type.value);
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(types));
  for (const event of events) expect(requestEventSchema.parse(event)).toEqual(event);
});

group.each(Object.entries(profiles))("on every path of %s", (profile, input) => {
  const paths = pathsToReplay(input);
  const lives: { steps: StoredStep[]; after: string[] }[] = [];

  test("the database says after every step what the model says", { timeout: 60_000 }, async () => {
    const place = await openPlace(mkdtempSync(join(tmpdir(), "claimcheck-model-")));
    try {
      expect(paths.length).toBeGreaterThan(50);
      for (const path of paths) lives.push(await replayed(place, path));
      await expectBalanced(place.store, reserveBytes);
    } finally {
      await place.close();
    }
  });

  test("a process that has only what was stored goes on the same way", async () => {
    expect(lives).toHaveLength(paths.length);
    for (const { steps, after } of lives) expect(await fresh.follow(steps)).toEqual(after);
  });

  async function replayed(place: Place, path: Path) {
    const first = path[0]?.before ?? begin(input).next;
    expect(first.context).toMatchObject(input);
    expect(persist(first)).toEqual(persist(begin(input).next));
    const { id, snapshot } = await place.put(first);
    let stored = JSON.stringify(snapshot);
    const life = { steps: [] as StoredStep[], after: [] as string[] };
    let previous: string | null = null;
    let version = 0;
    const asked: Effect[] = [];
    for (const { before, event, after, took, effects } of path) {
      const sent = await place.send(id, event);
      const moves = after !== before;
      // Paths lead through what is ignored too; where the sender would have to be the owner it is fenced instead.
      if (moves) expect(sent).toMatchObject({ kind: "moved", effects });
      else expect(["ignored", "fenced"]).toContain(sent.kind);
      const record = await expectSound(place.store, id);
      version += Number(moves);
      expect(record.version).toBe(version);
      expect(record.snapshot).toEqual(JSON.parse(JSON.stringify(persist(after))));
      asked.push(...effects);
      await expectKept(place.store, record, asked);
      life.steps.push({ stored, event });
      stored = JSON.stringify(record.snapshot);
      life.after.push(stored);
      all.get(profile)?.step({ before, event, after, took, previous });
      if (moves) previous = took;
    }
    return life;
  }
});

group("all paths together", () => {
  test("take every transition but those explained, and no explanation is stale", () => {
    expect(inert).toEqual(Object.keys(exceptions));
    expect(unseen(all.values(), "transitions", transitions)).toEqual(Object.keys(exceptions));
  });

  test("let every transition follow every other that it can follow", () => {
    expect(universe().pairs.length).toBeGreaterThan(transitions.length);
    expect(unseen(all.values(), "pairs", universe().pairs)).toEqual([]);
  });
});

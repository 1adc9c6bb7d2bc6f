import { readdirSync, readFileSync, statSync } from "node:fs";
import { expect, describe as group, test } from "vitest";
import { begin, decide } from "../../../machines/decide.ts";
import { machineVersion, persist, rehydrate } from "../../../machines/snapshots.ts";
import { keyOf } from "../../../src/chart/condense.ts";
import { requestChart } from "../../../src/chart/request-picture.ts";
import { JournalDiverges, type Machine, replayJournal } from "../../../src/engine/replay.ts";
import { events, profiles } from "../samples.ts";
import { transitionTaken } from "../walk.ts";
import { corpus } from "./corpus.ts";
import { type GoldenJournal, goldenJournals, goldenPaths, goldenSnapshots } from "./files.ts";

const root = new URL("../../../", import.meta.url);
const versions = Array.from({ length: machineVersion }, (_, index) => index + 1);
const today: Machine = { begin, decide };

group("the golden files", () => {
  test("are there for every version up to the present one, and for none else", () => {
    const wanted = versions.map(goldenPaths).flatMap(({ snapshots, journals }) => [snapshots, journals]);
    const here = readdirSync(new URL("./", import.meta.url)).filter((name) => name.endsWith(".json"));
    expect(here.map((name) => `test/machine/golden/${name}`).sort()).toEqual(wanted.sort());
    for (const path of wanted) expect(statSync(new URL(path, root)).size).toBeLessThan(150_000);
    for (const version of versions) expect(goldenSnapshots(version).version).toBe(version);
  });

  test("of the present version are what it leaves today: otherwise npx tsx .config/golden.ts", () => {
    for (const [path, content] of Object.entries(corpus()))
      expect(JSON.parse(readFileSync(new URL(path, root), "utf8"))).toEqual(content);
  });

  test("show every state, every profile and every transition that changes something", () => {
    const places = goldenSnapshots(machineVersion).snapshots.map((it) => rehydrate(machineVersion, it));
    const leaves = requestChart.states.filter(({ type }) => type !== "compound").map(({ path }) => path);
    expect(leaves.filter((path) => !places.some((place) => pathOf(place.value) === path))).toEqual([]);

    const journals = goldenJournals(machineVersion);
    expect(new Set(journals.map(({ profile }) => profile))).toEqual(new Set(Object.keys(profiles)));
    const taken = new Set<string | null>();
    const watched: Machine = {
      begin,
      decide(snapshot, event) {
        taken.add(transitionTaken(snapshot, event));
        return decide(snapshot, event);
      },
    };
    for (const { rows } of journals) replayJournal(rows, watched);
    expect(requestChart.transitions.map(keyOf).filter((key) => !taken.has(key))).toEqual([
      "recovery_required retrieval.faulted 0", // Neither moves nor acts.
    ]);
  });
});

group.each(versions)("what version %i left in a database", (version) => {
  test("is read today, and stored again as it was, or as its migration makes it", () => {
    for (const stored of goldenSnapshots(version).snapshots) {
      const again = JSON.parse(JSON.stringify(persist(rehydrate(version, stored))));
      if (version === machineVersion) expect(again).toEqual(stored);
      expect(persist(rehydrate(machineVersion, again))).toEqual(again);
    }
  });

  test("goes on: whatever happens next, it is decided, and the decision can be stored", () => {
    for (const stored of goldenSnapshots(version).snapshots)
      for (const event of events) persist(decide(rehydrate(version, stored), event).next);
  });

  test("goes the way that its journals recorded", () => {
    expect(divergences(goldenJournals(version), today)).toEqual([]);
  });
});

test("a machine that takes a refusal for a completion diverges from every journal that has a refusal, and says where", () => {
  const journals = goldenJournals(machineVersion);
  const lenient: Machine = {
    begin,
    decide: (snapshot, event) =>
      decide(snapshot, event.type === "upstream.refused" ? { ...event, type: "upstream.completed" } : event),
  };
  const withRefusal = journals.filter(({ rows }) => rows.some(({ state }) => state === "refused"));
  const found = divergences(journals, lenient);
  expect(found.length).toBeGreaterThan(Object.keys(profiles).length);
  expect(found).toHaveLength(withRefusal.length);
  for (const message of found)
    expect(message).toMatch(
      /^Row \d+ \(upstream\.refused\) diverges: recorded refused, this machine says completed$/,
    );
});

function divergences(journals: readonly GoldenJournal[], machine: Machine): string[] {
  return journals.flatMap(({ rows }) => {
    try {
      replayJournal(rows, machine);
      return [];
    } catch (error) {
      if (error instanceof JournalDiverges) return [error.message];
      throw error;
    }
  });
}

function pathOf(value: string | { claimed: string }): string {
  return typeof value === "string" ? value : `claimed.${value.claimed}`;
}

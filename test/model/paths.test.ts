import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, describe as group, test } from "vitest";
import { begin } from "../../machines/decide.ts";
import { recordCoverage, unseen } from "./coverage.ts";
import { inert, transitions } from "./coverage-universe.ts";
import { expectModelled, expectReplayed } from "./world/agreement.ts";
import { coveringPaths, type PlayedStep, pairsOf, playablePaths } from "./world/paths.ts";
import { play } from "./world/play.ts";
import { openHouse } from "./world/stage.ts";
import { type Story, stories } from "./world/stories.ts";

/** What the machine takes and nobody outside can bring about; each is sent to the door itself by other tests. */
const exceptions: Readonly<Record<string, string>> = {
  "claimed.deferred deadline.passed 0":
    "A deferred attempt has one timer, the next attempt's; it finds the deadline over by itself.",
  "streaming upstream.cancelled 0":
    "Nobody has recorded how a stream ends that was cancelled upstream; the simulator's ends without a word.",
};

const coverages = new Map(
  Object.keys(stories).map((name) => [name, recordCoverage("paths", `played: ${name}`)]),
);

afterAll(() => {
  for (const coverage of coverages.values()) coverage.write();
});

group.each(Object.entries(stories))("on the paths of %s, played through the whole engine", (name, story) => {
  const paths = coveringPaths(playablePaths(story.input), pairsOf);

  test("every step leads where the model leads, and at most one call is paid for", { timeout: 120_000 }, () =>
    inHouse(async (house) => {
      expect(paths.length).toBeGreaterThan(50);
      for (const path of paths) await playOne(house, story, path);
      cover(name, paths);
    }),
  );
});

test("every transition that can be brought about from outside was taken", () => {
  const missed = unseen([...coverages.values()], "transitions", transitions);
  expect(missed.filter((key) => !inert.includes(key)).sort()).toEqual(Object.keys(exceptions).sort());
});

async function playOne(house: Awaited<ReturnType<typeof openHouse>>, story: Story, path: PlayedStep[]) {
  const life = await play(house, story, path, async (played, step) => {
    expectModelled(await played.journal(), step?.after ?? begin(story.input).next);
    await expectReplayed(house.store, played.id);
    expect(played.posts).toBeLessThanOrEqual(1 + path.filter(isUnstarted).length);
  });
  expect(life.paid).toBeLessThanOrEqual(1);
}

function isUnstarted({ event }: PlayedStep): boolean {
  return event.type === "upstream.unstarted";
}

function cover(name: string, paths: readonly PlayedStep[][]) {
  const coverage = coverages.get(name);
  for (const path of paths) {
    for (const [index, step] of path.entries())
      coverage?.step({ ...step, previous: path[index - 1]?.took ?? null });
  }
}

async function inHouse(work: (house: Awaited<ReturnType<typeof openHouse>>) => Promise<void>) {
  const directory = mkdtempSync(join(tmpdir(), "claimcheck-lives-"));
  const house = await openHouse(join(directory, "claimcheck.db"));
  try {
    await work(house);
  } finally {
    await house.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

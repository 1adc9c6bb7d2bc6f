import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../machine/samples.ts";
import { transitionTaken } from "../machine/walk.ts";
import { recordCoverage } from "./coverage.ts";
import { anyCommand, begun, type Model, type Played } from "./world/commands.ts";
import { Life } from "./world/life.ts";
import { playablePaths } from "./world/paths.ts";
import { sessionOf } from "./world/play.ts";
import { type House, openHouse, setStage } from "./world/stage.ts";
import { stories } from "./world/stories.ts";
import { createStriker } from "./world/striker.ts";

const runs = Number(process.env["CLAIMCHECK_RUNS"] ?? 120);
const seed = Number(process.env["CLAIMCHECK_SEED"] ?? randomInt(2 ** 31));
const coverage = recordCoverage("random", "all");
const directory = mkdtempSync(join(tmpdir(), "claimcheck-random-"));
let house: House;

beforeAll(async () => {
  house = await openHouse(join(directory, "claimcheck.db"));
});
afterAll(async () => {
  coverage.write();
  await house.close();
  rmSync(directory, { recursive: true, force: true });
});

const tales = Object.values(stories).map((story) => ({ story, paths: playablePaths(story.input) }));

/** A path from the graph, as far as it is to be followed before chance takes over. All numbers, so that they print. */
const beginnings = fc.record({
  story: fc.nat({ max: tales.length - 1 }),
  path: fc.nat(),
  length: fc.nat({ max: 8 }),
});

function beginning({ story: tale, path: choice, length }: Numbers) {
  const { story, paths } = tales[tale] ?? tales[0] ?? { story: undefined, paths: [] };
  const path = paths[choice % paths.length] ?? [];
  if (story === undefined) throw new Error("There are no stories.");
  return { story, before: path.slice(0, Math.min(length, path.length - 1)) };
}
type Numbers = Record<"story" | "path" | "length", number>;

test("whatever happens in whatever order, the stored life is the machine's and is paid for once", {
  timeout: 180_000,
}, async () => {
  console.info(`seed ${seed}; CLAIMCHECK_SEED=${seed} repeats it`);
  await fc.assert(
    fc.asyncProperty(beginnings, fc.commands(anyCommand, { maxCommands: 10 }), (numbers, commands) =>
      onStage(numbers, (setup) => fc.asyncModelRun(setup, commands)),
    ),
    {
      seed,
      numRuns: runs,
      endOnFailure: false,
    },
  );
  expect(house.store).toBeDefined();
});

async function onStage(
  numbers: Numbers,
  live: (setup: () => Promise<{ model: Model; real: Played }>) => Promise<void>,
) {
  const { story, before } = beginning(numbers);
  const striker = createStriker();
  const stage = await setStage(house, { retrievable: story.input.retrievable, start: striker.start });
  const life = new Life(stage, start);
  const said = before.map(({ event }) => event.type as string);
  try {
    await live(async () => {
      const sessionId = await sessionOf(stage, story);
      await life.claim(story.input, sessionId);
      await life.postsSettle(1);
      for (const { event, direction } of before) await life.happen(event, direction.direct);
      const model = { ...begun(story), snapshot: before.at(-1)?.after ?? begun(story).snapshot };
      return { model, real: { life, store: house.store, striker, story, sessionId, said, onStep } };
    });
  } catch (error) {
    throw new Error(`after ${said.join(", ")}`, { cause: error });
  } finally {
    await life.end();
    await stage.simulator.close();
  }
}

const onStep: Played["onStep"] = (from, { event }, after) => {
  const took = transitionTaken(from, event);
  coverage.step({ before: from, event, after, took, previous: null });
};

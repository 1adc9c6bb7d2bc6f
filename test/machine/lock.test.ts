import { readdirSync, readFileSync } from "node:fs";
import { expect, describe as group, test } from "vitest";
import * as z from "zod";
import { machineVersion } from "../../machines/snapshots.ts";
import { lockOf } from "../../src/chart/lock.ts";
import { requestChart } from "../../src/chart/request-picture.ts";

const locks = new URL("../../machines/locks/", import.meta.url);
const lockSchema = z.object({
  machine: z.string(),
  version: z.string(),
  hash: z.string(),
  shape: z.record(z.string(), z.unknown()),
});

group("the machine's lock", () => {
  test("is the shape the machine has: a changed shape needs a new version and a migration", () => {
    const now = lockOf(requestChart);
    const locked = lockSchema.parse(
      JSON.parse(readFileSync(new URL(`request.v${machineVersion}.json`, locks), "utf8")),
    );
    expect(now.shape).toEqual(locked.shape);
    expect(now.hash).toBe(locked.hash);
  });

  test("is there for every version up to the present one", () => {
    const versions = Array.from({ length: machineVersion }, (_, index) => `request.v${index + 1}.json`);
    expect(
      readdirSync(locks)
        .filter((name) => name.endsWith(".json"))
        .sort(),
    ).toEqual(versions);
  });

  test("breaks when a guard is dropped, an arrow moves or a plain parameter changes", () => {
    const { hash } = lockOf(requestChart);
    const [first, ...rest] = requestChart.transitions;
    if (first === undefined) throw new Error("The machine has no transitions.");
    for (const changed of [
      { ...first, guard: null },
      { ...first, target: "failed" },
      { ...first, actions: [] },
    ]) {
      expect(lockOf({ ...requestChart, transitions: [changed, ...rest] }).hash).not.toBe(hash);
    }
  });

  test("does not mind better wording", () => {
    const states = requestChart.states.map((state) => ({ ...state, description: "Reworded." }));
    expect(lockOf({ ...requestChart, states })).toEqual(lockOf(requestChart));
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { expect, describe as group, test } from "vitest";
import { machineVersion } from "../../machines/snapshots.ts";
import { reportOf } from "../../src/chart/changes.ts";
import type { Chart } from "../../src/chart/describe.ts";
import { diffLock } from "../../src/chart/diff.ts";
import { type JsonSchema, type Lock, lockOf, readLock } from "../../src/chart/lock.ts";
import { requestLock, requestSnapshotSchema as snapshot } from "../../src/chart/request-lock.ts";
import { requestChart } from "../../src/chart/request-picture.ts";

const locks = new URL("../../machines/locks/", import.meta.url);
const textOf = (version: number) => readFileSync(new URL(`request.v${version}.json`, locks), "utf8");
const versions = Array.from({ length: machineVersion }, (_, index) => index + 1);

group("the machine's lock", () => {
  test("is the machine there is: another one needs a new version and a migration", () => {
    expectHeld(readLock(textOf(machineVersion)), requestChart, snapshot);
    expect(textOf(machineVersion)).toBe(`${JSON.stringify(requestLock, null, 2)}\n`);
  });

  test("is there for every version up to the present one, none changed by hand", () => {
    const names = readdirSync(locks).filter((name) => name.endsWith(".json"));
    expect(names.sort()).toEqual(versions.map((version) => `request.v${version}.json`));
    for (const version of versions) expect(readLock(textOf(version)).version).toBe(String(version));
    expect(() => readLock(textOf(machineVersion).replace('"canBeAsked"', '"mayBeAsked"'))).toThrow(/hash/);
  });

  test("breaks when a guard is dropped, an arrow moves, an action goes or a stored field does", () => {
    const [first, ...rest] = requestChart.transitions;
    if (first === undefined) throw new Error("The machine has no transitions.");
    for (const changed of [
      { ...first, guard: first.guard === null ? { type: "sometimes" } : null },
      { ...first, target: "abandoned" },
      { ...first, actions: [] },
    ]) {
      const chart = { ...requestChart, transitions: [changed, ...rest] };
      expect(lockOf(chart, snapshot).hash).not.toBe(requestLock.hash);
    }
    expect(lockOf(requestChart, { ...snapshot, required: [] }).hash).not.toBe(requestLock.hash);
  });

  test("does not mind better wording", () => {
    const states = requestChart.states.map((state) => ({ ...state, description: "Reworded." }));
    expect(lockOf({ ...requestChart, states }, snapshot)).toEqual(requestLock);
  });

  test("tells whoever changes the machine what changed, how much that matters, and what to do", () => {
    const states = requestChart.states.filter(({ path }) => path !== "streaming");
    const transitions = requestChart.transitions.map((transition) =>
      transition.target === "streaming" ? { ...transition, target: "recovery_required" } : transition,
    );
    const broken = () => expectHeld(requestLock, { ...requestChart, states, transitions }, snapshot);
    expect(broken).toThrow(/breaking +streaming is gone, and a stored request may stand in it\.\n/);
    expect(broken).toThrow(
      /behaviour +upstream\.accepted leads to recovery_required .* in claimed\.sending;/,
    );
    expect(broken).toThrow(/migration says where such a request stands now/);
    expect(broken).toThrow(/Not released yet\? npx tsx \.config\/lock\.ts/);
    expect(broken).toThrow(new RegExp(`machineVersion ${machineVersion + 1}`));
  });
});

/** Fails with the classified difference. */
function expectHeld(lock: Lock, chart: Chart, stored: JsonSchema): void {
  const changes = diffLock(lock, { chart, snapshot: stored });
  if (changes.length === 0) return;
  expect.fail(
    [
      `The machine is not the one that machines/locks/request.v${machineVersion}.json describes:`,
      reportOf(changes),
      `Released? Leave that file, and give the machine machineVersion ${machineVersion + 1} and a migration.`,
      "Not released yet? npx tsx .config/lock.ts && npx tsx .config/golden.ts",
    ].join("\n"),
  );
}

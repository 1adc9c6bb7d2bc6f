/** Closes a test run with what the model's tests exercised and one plain line, for whoever reads logs by machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import { readFragments, removeFragments } from "../test/model/coverage-fragment.ts";
import { coverageCounts, coverageTable } from "../test/model/coverage-table.ts";

export default class Tally implements Reporter {
  onTestRunStart(): void {
    removeFragments();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    tellCoverage();
    const states = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => test.result().state);
    const count = (state: string) => states.filter((one) => one === state).length;
    process.stdout.write(
      `\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`,
    );
  }
}

function tellCoverage(): void {
  const read = readFragments();
  if (read === null) return;
  const { fragments, universe } = read;
  mkdirSync("coverage", { recursive: true });
  writeFileSync("coverage/model.json", `${JSON.stringify(coverageCounts(fragments, universe), null, 2)}\n`);
  process.stdout.write(`\n${coverageTable(fragments, universe)}\n`);
}

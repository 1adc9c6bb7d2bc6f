/** Closes a test run with a table of every client at every step, and the ms that it had to wait there. */
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type { Cell } from "../interop/cell.ts";
import { type ClientKind, clientKinds } from "../interop/clients.ts";
import { stepNames } from "../interop/steps.ts";

export default class Matrix implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const cells = modules.flatMap((module) => [...module.children.allTests()]).flatMap(cellOf);
    if (cells.length > 0) process.stdout.write(`\n${table(cells)}\n`);
  }
}

const cellOf = (test: TestCase) => {
  const { cell } = test.meta();
  return cell === undefined || test.result().state !== "passed" ? [] : [cell];
};

/** A step that did not pass has a dash. */
function table(cells: readonly Cell[]): string {
  const msOf = (kind: ClientKind) =>
    stepNames.map((name) => {
      const found = cells.find(({ client, step }) => client === kind && step === name);
      return found === undefined ? "-" : String(Math.round(found.ms));
    });
  const line = (first: string, rest: readonly string[]) =>
    [first.padEnd(20), ...rest.map((text, index) => text.padStart((stepNames[index]?.length ?? 0) + 2))].join(
      "",
    );
  return [line("ms", stepNames), ...clientKinds.map((kind) => line(kind, msOf(kind)))].join("\n");
}

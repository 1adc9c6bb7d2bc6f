/** Closes a test run with one plain line, for whoever reads logs by machine. */
import type { Reporter, TestModule } from "vitest/node";

export default class Tally implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => test.result().state);
    const count = (state: string) => states.filter((one) => one === state).length;
    process.stdout.write(
      `\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`,
    );
  }
}

/** Tells the process that ran the tests how they ended, and which failed first. */
import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";
import * as z from "zod";

export const verdictSchema = z.object({
  passed: z.number(),
  /** The first thing that went wrong, or null where nothing did. */
  failure: z.string().nullable(),
});
export type Verdict = z.infer<typeof verdictSchema>;

export default class VerdictReporter implements Reporter {
  #first: string | null = null;

  onTestCaseResult(test: TestCase): void {
    if (test.result().state === "failed")
      this.#first ??= `${test.module.relativeModuleId} > ${test.fullName}`;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const verdict: Verdict = {
      passed: tests.filter((test) => test.result().state === "passed").length,
      failure: this.#first ?? outsideTests(modules, unhandled),
    };
    process.send?.(verdict);
  }
}

/** What failed before, between or after tests. */
function outsideTests(modules: readonly TestModule[], unhandled: readonly SerializedError[]): string | null {
  for (const module of modules) {
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    const [error] = [...module.errors(), ...suites];
    if (error) return `${module.relativeModuleId}: ${firstLine(error)}`;
  }
  const [error] = unhandled;
  return error ? `outside of tests: ${firstLine(error)}` : null;
}

function firstLine({ message }: SerializedError): string {
  return message.split("\n")[0] ?? "";
}

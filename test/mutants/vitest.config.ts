/** Tests of a claimcheck with one mutant in it: the project's own settings, but nothing is tried twice or counted. */
import { defineConfig } from "vitest/config";
import base from "../../.config/vitest.config.ts";
import { nothingWrong } from "./controls.ts";
import { mutantNamed } from "./mutants.ts";
import { mutating, nodeOptionsOf } from "./plugin.ts";
import Verdict from "./verdict.ts";

const mutant = mutantNamed(process.env["CLAIMCHECK_MUTANT"] ?? nothingWrong);

export default defineConfig({
  ...base,
  plugins: [mutating(mutant)],
  test: {
    ...base.test,
    bail: 1,
    retry: 0,
    maxWorkers: 1,
    reporters: [new Verdict()],
    coverage: { enabled: false },
    // Only what tests fork: the runner's own processes are older than this.
    env: { NODE_OPTIONS: nodeOptionsOf(mutant) },
  },
});

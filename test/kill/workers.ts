/**
 * Four workers on one database, killed and paused at random moments under callers that do what callers do. Holds
 * when nothing was paid for twice, nothing was lost, and every journal replays to what is stored. Then the same
 * without the fence, which must be seen to break: a harness that finds nothing wrong there finds nothing anywhere.
 *
 * `--requests N` (default 600, at most 1,000), `--seed N` to repeat the choices of a run, `--unfenced` for the
 * control alone.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { printOutcome } from "./report.ts";
import { storm } from "./storm.ts";

const { values } = parseArgs({
  options: { requests: { type: "string" }, seed: { type: "string" }, unfenced: { type: "boolean" } },
});
/** The simulator remembers a thousand responses; one that it forgot could not be collected. */
const requests = Math.min(Number(values.requests ?? 600), 1_000);
const seed = Number(values.seed ?? randomInt(2 ** 31));
const controlRequests = 150;
const mostControls = 3;

// Whoever stops this run stops its workers: a process that ends by a signal would leave a paused one behind.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

console.log(`${requests} requests at four workers; --seed ${seed} repeats the choices`);
const tests = values.unfenced ? [breaksWithoutFence] : [holds, breaksWithoutFence];
const passed: boolean[] = [];
for (const test of tests) passed.push(await test());
const failed = passed.filter((pass) => !pass).length;
console.log(`\n${passed.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function holds(): Promise<boolean> {
  const outcome = await storm({
    name: "With the fence: nothing may break",
    fenced: true,
    requests,
    seed,
    budgetMs: 20_000,
    patience: 5,
  });
  printOutcome(outcome);
  return outcome.violations.length === 0 && outcome.requests === requests;
}

/** Chance decides what breaks, so it is given more than one. */
async function breaksWithoutFence(): Promise<boolean> {
  for (let times = 0; times < mostControls; times += 1) {
    const outcome = await storm({
      name: "Without the fence: violations must be found",
      fenced: false,
      requests: controlRequests,
      seed: seed + 1_000 * (times + 1),
      budgetMs: 1_000,
      patience: 1,
    });
    printOutcome(outcome);
    if (outcome.violations.length > 0) return true;
  }
  console.log("The control found no violation: this harness cannot be believed.");
  return false;
}

/** Runs one layer against one mutant, in processes of its own that are gone afterwards. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOf, type Layer } from "./layers.ts";
import type { Mutant } from "./mutants.ts";
import { root } from "./patch.ts";
import { type Verdict, verdictSchema } from "./verdict.ts";

export type Cell =
  /** `by` names the first test that failed. */
  | { kind: "killed"; by: string; ms: number }
  | { kind: "survived"; passed: number; ms: number }
  /** The tests hung, which is seen as well as a failure is. */
  | { kind: "timed out"; ms: number }
  /** The layer's tests are not there. */
  | { kind: "not there" }
  /** The layer fails without a mutant, so it says nothing about one. */
  | { kind: "red" }
  /** The run came to no verdict. */
  | { kind: "broken"; why: string };

const runner = join(root, "node_modules/vitest/vitest.mjs");
const mostSaid = 2_000;
/** With the directory of each. */
const running = new Map<ChildProcess, string>();
process.once("exit", () => {
  for (const [child, directory] of running) {
    end(child);
    remove(directory);
  }
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

export async function runCell(mutant: Mutant, layer: Layer, limitMs: number): Promise<Cell> {
  const files = filesOf(layer);
  if (files.length === 0) return { kind: "not there" };
  // Tests that are ended leave behind what they would have removed.
  const directory = mkdtempSync(join(tmpdir(), "claimcheck-mutant-"));
  const started = performance.now();
  try {
    const ended = await run(mutant, files, directory, limitMs);
    return cellOf(ended, Math.round(performance.now() - started));
  } finally {
    remove(directory);
  }
}

function cellOf({ verdict, said, late }: Ended, ms: number): Cell {
  if (late) return { kind: "timed out", ms };
  if (verdict === null) return { kind: "broken", why: said.trim() || "the run ended without a word" };
  if (verdict.failure !== null) return { kind: "killed", by: verdict.failure, ms };
  if (verdict.passed === 0) return { kind: "broken", why: "no test ran" };
  return { kind: "survived", passed: verdict.passed, ms };
}

interface Ended {
  verdict: Verdict | null;
  /** The end of what was printed. */
  said: string;
  late: boolean;
}

async function run(
  mutant: Mutant,
  files: readonly string[],
  directory: string,
  limitMs: number,
): Promise<Ended> {
  const child = fork(runner, ["run", "--config", "test/mutants/vitest.config.ts", ...files], {
    cwd: root,
    env: { ...process.env, CLAIMCHECK_MUTANT: mutant.name, TMPDIR: directory },
    execArgv: [],
    // A group of its own, so that whatever the tests started can be ended with it.
    detached: true,
    silent: true,
  });
  running.set(child, directory);
  const ended: Ended = { verdict: null, said: "", late: false };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      ended.said = `${ended.said}${chunk}`.slice(-mostSaid);
    });
  child.on("message", (message) => {
    ended.verdict = verdictSchema.parse(message);
  });
  const timer = setTimeout(() => {
    ended.late = ended.verdict === null;
    end(child);
  }, limitMs);
  await once(child, "exit");
  clearTimeout(timer);
  end(child);
  running.delete(child);
  return ended;
}

function remove(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already, and so is everything it started.
  }
}

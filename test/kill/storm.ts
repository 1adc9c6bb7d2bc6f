/** One run: four workers, callers, kills and pauses on one database, until every request is settled; then the books. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.ts";
import { askOnceMore, callThemAll } from "./callers.ts";
import { startChaos } from "./chaos.ts";
import { startCrew } from "./crew.ts";
import { inspectDatabase } from "./database.ts";
import { createDice } from "./dice.ts";
import type { Outcome } from "./report.ts";
import { violationsAfter } from "./violations.ts";

/** Below what a user may set: the beat of a renewal is a tenth of a second at the shortest. */
const leaseMs = 200;

export interface Storm {
  name: string;
  fenced: boolean;
  requests: number;
  seed: number;
  budgetMs: number;
  patience: number;
}

export async function storm({ name, fenced, requests, seed, budgetMs, patience }: Storm): Promise<Outcome> {
  const started = performance.now();
  const directory = mkdtempSync(join(tmpdir(), "claimcheck-storm-"));
  const file = join(directory, "claimcheck.db");
  const clear = () => rmSync(directory, { recursive: true, force: true });
  process.on("exit", clear);
  const simulator = await startSimulator({ chunkMs: 6 });
  simulator.script({ scenario: { pace: { headersMs: 8, firstEventMs: 8 } } });
  const lookUp = (requestId: string) =>
    simulator.ledger.responses.find((response) => response.requestId === requestId)?.id;
  try {
    const crew = await startCrew({ file, upstream: simulator.url, leaseMs, fenced });
    const chaos = startChaos(crew, createDice(seed), leaseMs);
    try {
      const plan = { crew, seed: seed + 1, requests, budgetMs, patience, lookUp };
      const called = await callThemAll(plan);
      await chaos.stop();
      await quiet(simulator);
      await askOnceMore(plan, called);
      await crew.close();
      const findings = inspectDatabase(file);
      return {
        name,
        harm: chaos.harm,
        requests: called.told.size,
        posts: [...called.told.keys()].map((id) => simulator.ledger.postsFor(id)),
        findings,
        violations: [...crew.crashes, ...(await violationsAfter(file, called, simulator, findings))],
        seconds: (performance.now() - started) / 1_000,
      };
    } finally {
      await chaos.stop();
      await crew.close();
    }
  } finally {
    await simulator.close();
    process.off("exit", clear);
    clear();
  }
}

/** Nothing is being made upstream any more, and whoever was reading it had time to write down its end. */
async function quiet({ ledger }: Simulator): Promise<void> {
  const busy = () => ledger.responses.some(({ status }) => status === "in_progress" || status === "queued");
  const giveUpAt = performance.now() + 5_000;
  while (busy() && performance.now() < giveUpAt) await delay(20);
  await delay(3 * leaseMs);
}

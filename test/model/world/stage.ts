/** A database, an upstream directed by hand, and as many workers as are hired. */
import { join } from "node:path";
import { openSqliteStore } from "../../../src/index.ts";
import { startSimulator } from "../../../src/simulator/simulator.ts";
import { start } from "../../machine/samples.ts";
import type { Stage } from "./life.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

export interface StageOptions {
  directory: string;
  /** Whether providers can be asked for a response later. */
  retrievable: boolean;
  /** What happens at the moments of a worker's writes; asked with how many were hired before it. */
  faultsOf?: (nth: number) => WorkerOptions["faults"];
}

export async function openStage({
  directory,
  retrievable,
  faultsOf,
}: StageOptions): Promise<Stage & { file: string; close(): Promise<void> }> {
  const file = join(directory, "claimcheck.db");
  const simulator = await startSimulator({ byHand: true, clock: { now: () => start } });
  const store = await openSqliteStore({ file });
  const dead = new Set<string>();
  let hired = 0;
  return {
    file,
    simulator,
    store,
    declareDead: (owner) => dead.add(owner),
    hire(at) {
      hired += 1;
      const faults = faultsOf?.(hired - 1);
      return startWorker({
        file,
        upstream: simulator.url,
        owner: `worker-${hired}`,
        at,
        isDead: (owner) => dead.has(owner),
        retrievable,
        ...(faults && { faults }),
      });
    },
    async close() {
      await simulator.close();
      await store.close();
    },
  };
}

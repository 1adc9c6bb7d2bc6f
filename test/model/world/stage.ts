/** A database on which many lives are played, each with an upstream of its own that is directed by hand. */
import { openSqliteStore } from "../../../src/index.ts";
import { startSimulator } from "../../../src/simulator/simulator.ts";
import type { Store } from "../../../src/store/store.ts";
import { start } from "../../machine/samples.ts";
import type { Stage } from "./life.ts";
import { startWorker, type WorkerOptions } from "./worker.ts";

export interface House {
  file: string;
  /** For looking, never for writing. */
  store: Store;
  close(): Promise<void>;
}

export async function openHouse(file: string): Promise<House> {
  const store = await openSqliteStore({ file });
  return { file, store, close: store.close };
}

export interface StageOptions {
  /** Whether providers can be asked for a response later. */
  retrievable: boolean;
  /** What happens at the moments of anybody's writes. */
  faults?: WorkerOptions["faults"];
}

let hiredInAll = 0;

/** An upstream for one life: what an earlier one left on its way cannot reach it. */
export async function setStage({ file, store }: House, { retrievable, faults }: StageOptions) {
  const simulator = await startSimulator({ byHand: true, clock: { now: () => start } });
  const dead = new Set<string>();
  return {
    simulator,
    store,
    declareDead: (owner) => dead.add(owner),
    hire(at) {
      hiredInAll += 1;
      return startWorker({
        file,
        upstream: simulator.url,
        owner: `worker-${hiredInAll}`,
        at,
        isDead: (owner) => dead.has(owner),
        retrievable,
        ...(faults && { faults }),
      });
    },
  } satisfies Stage;
}

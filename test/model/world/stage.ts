/** A database on which many lives are played, each with an upstream of its own that is directed by hand. */
import { openSqliteStore } from "../../../src/index.ts";
import { startSimulator } from "../../../src/simulator/simulator.ts";
import type { Store } from "../../../src/store/store.ts";
import { start } from "../../machine/samples.ts";
import type { Stage } from "./life.ts";
import { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

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
  /** How a worker is started: in this process, where it is not said. */
  start?: StartWorker;
}

/** `nth` counts those who were hired on the stage, from 0. */
export type StartWorker = (options: WorkerOptions, nth: number) => Promise<Worker>;

let hiredInAll = 0;

/** An upstream for one life: what an earlier one left on its way cannot reach it. */
export async function setStage(
  { file, store }: House,
  { retrievable, start: begin = startWorker }: StageOptions,
) {
  const simulator = await startSimulator({ byHand: true, clock: { now: () => start } });
  const dead: string[] = [];
  let hired = 0;
  return {
    simulator,
    store,
    declareDead: (owner) => void dead.push(owner),
    hire(at) {
      hiredInAll += 1;
      hired += 1;
      const owner = `worker-${hiredInAll}`;
      return begin({ file, upstream: simulator.url, owner, at, dead: [...dead], retrievable }, hired - 1);
    },
  } satisfies Stage;
}

/** Four workers on one database; a dead one is replaced at once. */
import type { ChildProcess } from "node:child_process";
import type { Duties, Told, Wish } from "./orders.ts";
import { end, startWorker, type Worker } from "./worker.ts";

const size = 4;

export interface Crew {
  readonly workers: readonly Worker[];
  /** Tells one of them, and another when that one dies over it. */
  tell(wish: Wish, place: number): Promise<Told>;
  replace(worker: Worker): Promise<void>;
  /** Those that died of something else than our hand. */
  readonly crashes: readonly string[];
  close(): Promise<void>;
}

export async function startCrew(duties: Omit<Duties, "seesDeaths">): Promise<Crew> {
  const children = new Set<ChildProcess>();
  const crashes: string[] = [];
  const remember = (child: ChildProcess) => {
    children.add(child);
    child.on("exit", (code, signal) => {
      children.delete(child);
      if (signal !== "SIGKILL") crashes.push(`a worker ended by itself (${signal ?? code})`);
    });
  };
  const endAll = () => [...children].map(end);
  const close = async () => {
    await Promise.all(endAll());
    process.off("exit", endAll);
  };
  process.on("exit", endAll);
  let started = 0;
  const start = () => startWorker({ ...duties, seesDeaths: started++ % 2 === 0 }, remember);
  try {
    const workers = await Promise.all(Array.from({ length: size }, start));
    return { workers, crashes, tell, replace, close };

    async function tell(wish: Wish, place: number): Promise<Told> {
      for (let turn = place; ; turn += 1) {
        const alive = workers.filter((worker) => !worker.dead);
        const told = await alive[turn % alive.length]?.tell(wish);
        if (told) return told;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    async function replace(worker: Worker) {
      await worker.kill();
      workers.splice(workers.indexOf(worker), 1, await start());
    }
  } catch (error) {
    await close();
    throw error;
  }
}

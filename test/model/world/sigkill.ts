/** The same blow, for real: a worker is a process, which ends by SIGKILL at a moment of its own writes. */
import { endOrBlow, type Place, type Striker } from "./striker.ts";
import { type CrashPoint, startWorker } from "./worker.ts";
import { startWorkerProcess, type WorkerProcess } from "./worker-process.ts";

const goneWithinMs = 2_000;

export interface Killing {
  /** Where a run within one process found the moment. */
  place: Place;
  point: CrashPoint;
  /**
   * Whether every worker is a process that dies at this moment of its own. Where several collect one answer, a
   * process comes second to a worker that is none, and would never be the one to write.
   */
  whoever: boolean;
}

export interface Killer extends Striker {
  /** Ends every process it began, those still starting when the blow came included. */
  end(): Promise<void>;
}

/** Strikes once: whoever comes to the moment first. */
export function createKiller({ place, point, whoever }: Killing): Killer {
  const starting: Promise<WorkerProcess>[] = [];
  const victims: WorkerProcess[] = [];
  let armed = false;
  const isStruck = () => armed && victims.some(({ isGone }) => isGone);

  return {
    async start(options, nth) {
      if (!whoever && nth !== place.worker) return startWorker(options);
      const start = startWorkerProcess(options);
      starting.push(start);
      const victim = await start;
      victims.push(victim);
      if (armed) await victim.dieAt(place.nth);
      return victim;
    },
    async arm(_blow, nth) {
      armed = nth > 0;
      if (armed) for (const victim of victims) await victim.dieAt(place.nth);
    },
    async outcomeOf(going) {
      await endOrBlow(going, isStruck);
      // Where the moment is after the commit, the step may be seen before its writer is gone.
      if (armed && victims.length > 0) await Promise.race(victims.map((victim) => victim.gone(goneWithinMs)));
      const struck = isStruck();
      armed = false;
      return struck ? point : null;
    },
    place: () => place,
    async end() {
      for (const victim of await Promise.all(starting)) await victim.kill();
    },
  };
}

/** The same blow, for real: one worker is a process, which ends by SIGKILL at a moment of its own writes. */
import { endOrBlow, type Place, type Striker } from "./striker.ts";
import { type CrashPoint, startWorker } from "./worker.ts";
import { startWorkerProcess, type WorkerProcess } from "./worker-process.ts";

const goneWithinMs = 2_000;

/** Strikes once, at `place`, which a run within one process found to be at `point`. */
export function createKiller(place: Place, point: CrashPoint): Striker {
  let victim: WorkerProcess | null = null;
  let armed = false;
  const isStruck = () => armed && victim?.isGone === true;

  return {
    async start(options, nth) {
      if (nth !== place.worker) return startWorker(options);
      victim = await startWorkerProcess(options);
      if (armed) await victim.dieAt(place.nth);
      return victim;
    },
    async arm(_blow, nth) {
      armed = nth > 0;
      if (armed) await victim?.dieAt(place.nth);
    },
    async outcomeOf(going) {
      await endOrBlow(going, isStruck);
      // Where the moment is after the commit, the step may be seen before its writer is gone.
      if (armed) await victim?.gone(goneWithinMs);
      const struck = isStruck();
      armed = false;
      return struck ? point : null;
    },
    place: () => place,
  };
}

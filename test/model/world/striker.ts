/** Strikes workers of this process at a moment of their writes, counted over all of them. */
import type { StartWorker } from "./stage.ts";
import { type CrashPoint, startWorker } from "./worker.ts";

/** What happens to a write: the process dies in it, or the storage fails it. */
export type Blow = "killed" | "SQLITE_IOERR_WRITE" | "SQLITE_FULL" | "SQLITE_BUSY";

/** Which worker was struck, counted as they were hired, and at which of its own moments, from 1. */
export interface Place {
  worker: number;
  nth: number;
}

export interface Striker {
  start: StartWorker;
  /** From now on the `nth` moment is struck, once; none where `nth` is 0. */
  arm(blow: Blow, nth: number): Promise<void>;
  /** Where it struck before `going` came to its end, or null. What becomes of `going` then is not waited for. */
  outcomeOf(going: Promise<unknown>): Promise<CrashPoint | null>;
  /** Where that was. */
  place(): Place | null;
}

export function createStriker(): Striker {
  let armed: { blow: Blow; left: number; seen: Map<number, number> } | null = null;
  let struck: { point: CrashPoint; place: Place } | null = null;

  function strike(worker: number, point: CrashPoint): "die" | undefined {
    if (armed === null) return undefined;
    const nth = (armed.seen.get(worker) ?? 0) + 1;
    armed.seen.set(worker, nth);
    armed.left -= 1;
    if (armed.left > 0) return undefined;
    const { blow } = armed;
    armed = null;
    struck = { point, place: { worker, nth } };
    if (blow === "killed") return "die";
    throw Object.assign(new Error(`a fault of the disk at ${point}`), { code: blow });
  }

  return {
    start: (options, worker) => startWorker({ ...options, faults: (point) => strike(worker, point) }),
    async arm(blow, nth) {
      armed = nth > 0 ? { blow, left: nth, seen: new Map() } : null;
      struck = null;
    },
    async outcomeOf(going) {
      await endOrBlow(going, () => struck !== null);
      armed = null;
      return struck?.point ?? null;
    },
    place: () => struck?.place ?? null,
  };
}

/** @throws what `going` throws, unless the blow came first */
export async function endOrBlow(going: Promise<unknown>, isStruck: () => boolean): Promise<void> {
  let over = false;
  const done = going.finally(() => {
    over = true;
  });
  done.catch(() => {});
  while (!over && !isStruck()) await new Promise((resolve) => setImmediate(resolve));
  if (!isStruck()) await done;
}

/** Time as the engine meets it, so that tests can turn it by hand. */
import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** Wall time, ms since 1970. It may jump; nothing that must be safe depends on it. */
  now(): number;
  /** Milliseconds that only ever grow, in this process. */
  monotonic(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `work` every `ms` without keeping the process alive. Returns the way to stop. */
  every(ms: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(Math.max(0, ms), undefined, signal ? { signal } : {}).catch(() => undefined),
  every: (ms, work) => {
    const timer = setInterval(work, ms).unref();
    return () => clearInterval(timer);
  },
};

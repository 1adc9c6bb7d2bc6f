import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "./storage-error.ts";

/**
 * Tries again while another process holds the lock, letting the event loop run in between. SQLite's own waiting
 * is unfair and blocks the thread; spread pauses are neither.
 *
 * @param patienceMs after this long the lock's own error is thrown
 */
export async function patiently<T>(attempt: () => T, patienceMs: number): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
    }
    await sleep(pauseMs(tries));
  }
}

/** From 2–5 ms up to 20–50 ms. */
function pauseMs(tries: number): number {
  return Math.min(tries, 10) * (2 + Math.random() * 3);
}

/** A clock that stands still until it is turned. Wall time may jump either way; what sleeps follows its own time. */
import type { Clock } from "../../../src/engine/clock.ts";

export interface HandClock extends Clock {
  /** Sets wall time; nobody wakes. */
  set(wallMs: number): void;
  /** Lets `ms` pass for all that sleep, wall time included. */
  advance(ms: number): void;
  /** From now on nobody wakes any more, as in a process that is gone. */
  stop(): void;
}

interface Sleeper {
  at: number;
  wake(): void;
  /** Milliseconds between calls, for what repeats. */
  every: number | null;
}

export function createHandClock(wall: number): HandClock {
  const sleepers = new Set<Sleeper>();
  let elapsed = 0;
  let stopped = false;

  function advance(ms: number) {
    const end = elapsed + ms;
    for (let next = due(end); next !== undefined; next = due(end)) {
      wall += next.at - elapsed;
      elapsed = next.at;
      if (next.every === null) sleepers.delete(next);
      else next.at += next.every;
      next.wake();
    }
    wall += end - elapsed;
    elapsed = end;
  }

  function due(end: number): Sleeper | undefined {
    return [...sleepers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
  }

  return {
    now: () => wall,
    monotonic: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (stopped) return;
        if (signal?.aborted) return resolve();
        const sleeper: Sleeper = { at: elapsed + Math.max(0, ms), wake: end, every: null };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", end);
        function end() {
          signal?.removeEventListener("abort", end);
          sleepers.delete(sleeper);
          resolve();
        }
      }),
    every(ms, work) {
      const sleeper: Sleeper = { at: elapsed + ms, wake: work, every: ms };
      if (!stopped) sleepers.add(sleeper);
      return () => sleepers.delete(sleeper);
    },
    set(wallMs) {
      wall = wallMs;
    },
    advance,
    stop() {
      stopped = true;
      sleepers.clear();
    },
  };
}

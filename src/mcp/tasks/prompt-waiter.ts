import type { Waiter } from "../../engine/engine.ts";

/**
 * A waiter that lets go at the first news of the request. There is news as soon as the request is on disk and not
 * over at once, and from then on a task can stand for it: "A server MUST NOT return `CreateTaskResult` until the
 * task is durably created". Until then it waits as long as the other would, for a place among the live requests.
 */
export function promptWaiter({ budgetMs, signal, onProgress }: Waiter): Waiter {
  const known = new AbortController();
  return {
    budgetMs,
    signal: signal === undefined ? known.signal : AbortSignal.any([signal, known.signal]),
    onProgress: (progress) => {
      onProgress?.(progress);
      known.abort("known");
    },
  };
}

import type { Waiter } from "../../engine/engine.ts";

/**
 * A waiter that lets go as soon as its call has made a request. From then on a task can stand for it: "A server MUST
 * NOT return `CreateTaskResult` until the task is durably created". Until then it waits as long as the other would,
 * for a place among the live requests.
 */
export function promptWaiter({ signal, onClaimed, ...waiter }: Waiter): Waiter {
  const claimed = new AbortController();
  return {
    ...waiter,
    signal: signal === undefined ? claimed.signal : AbortSignal.any([signal, claimed.signal]),
    onClaimed: () => {
      onClaimed?.();
      claimed.abort("claimed");
    },
  };
}

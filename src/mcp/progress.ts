import type { Notification, ProgressToken } from "@modelcontextprotocol/server";
import type { Progress } from "../engine/engine.ts";

export interface ProgressReporter {
  /** Absent without a token: nobody asked. */
  onProgress?: (progress: Progress) => void;
  /** Nothing is said after this; call it before the result is handed over. */
  stop(): void;
}

/** Turns the engine's progress into notifications under `token`, numbered 1, 2, 3, … */
export function progressReporter(
  token: ProgressToken | undefined,
  notify: (notification: Notification) => Promise<void>,
): ProgressReporter {
  if (token === undefined) return { stop: () => {} };
  let count = 0;
  let stopped = false;
  return {
    onProgress: (progress) => {
      if (stopped) return;
      count += 1;
      const params = { progressToken: token, progress: count, message: sentence(progress) };
      // A connection that is gone has nobody to tell; the call itself ends by its signal.
      notify({ method: "notifications/progress", params }).catch(() => {});
    },
    stop: () => {
      stopped = true;
    },
  };
}

/** `streaming · 1,240 chars · 12 s` */
function sentence({ state, chars, elapsedMs }: Progress): string {
  const parts = [
    state,
    ...(chars === null ? [] : [`${grouped(chars)} chars`]),
    `${Math.floor(elapsedMs / 1_000)} s`,
  ];
  return parts.join(" · ");
}

const grouped = (count: number) => count.toLocaleString("en-US");

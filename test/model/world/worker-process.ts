/** A worker in a process of its own, which can really be killed: at a moment of its own writes, or at once. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Worker, WorkerOptions } from "./worker.ts";
import type { WorkerOrder, WorkerReply } from "./worker-child.ts";

export interface WorkerProcess extends Worker {
  /** The `nth` moment of its writes from now on is its last, by SIGKILL. */
  dieAt(nth: number): Promise<void>;
  readonly isGone: boolean;
  /** Waits until it is gone, but no longer than this. */
  gone(withinMs: number): Promise<void>;
}

export async function startWorkerProcess(options: WorkerOptions): Promise<WorkerProcess> {
  const child = fork(new URL("./worker-child.ts", import.meta.url), {
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
  });
  const order = ordering(child);
  await order("start", options);
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  return {
    owner: options.owner,
    ask: (ask) => order("ask", ask),
    cancel: (id) => order("cancel", id),
    abandon: (id) => order("abandon", id),
    attach: (id, responseId) => order("attach", id, responseId),
    inspect: (id) => order("inspect", id),
    recover: (id) => order("recover", id),
    setTime: (wallMs) => order("setTime", wallMs),
    advance: (ms) => order("advance", ms),
    dieAt: (nth) => order("dieAt", nth),
    get isGone() {
      return isGone();
    },
    async gone(withinMs) {
      const given = AbortSignal.timeout(withinMs);
      if (!isGone()) await once(child, "exit", { signal: given }).catch(() => {});
    },
    close: () => end(child),
    kill: () => end(child),
  };
}

/** Gives a function that tells the child something and waits until it was done; for ever, where the child is gone. */
function ordering(child: ChildProcess) {
  const waiting = new Map<number, (reply: WorkerReply) => void>();
  let orders = 0;
  child.on("message", (reply: WorkerReply) => waiting.get(reply.nr)?.(reply));
  child.on("error", () => {});
  return async (what: WorkerOrder["what"], ...args: unknown[]): Promise<void> => {
    const nr = orders++;
    const reply = await new Promise<WorkerReply>((resolve) => {
      waiting.set(nr, resolve);
      if (child.connected) child.send({ nr, what, args } satisfies WorkerOrder, () => {});
    });
    waiting.delete(nr);
    if (reply.error) throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

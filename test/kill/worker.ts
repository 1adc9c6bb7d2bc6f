/** A worker process from outside: told what to do, stopped, continued, killed. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type Duties, replySchema, type Told, type Wish } from "./orders.ts";

export interface Worker {
  /** Null when the worker died before it answered. */
  tell(wish: Wish): Promise<Told | null>;
  pause(): void;
  goOn(): void;
  readonly paused: boolean;
  readonly dead: boolean;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

export async function startWorker(duties: Duties, started: (child: ChildProcess) => void): Promise<Worker> {
  const child = fork(new URL("./worker-child.ts", import.meta.url), [JSON.stringify(duties)], {
    execArgv: ["--import", "tsx"],
  });
  started(child);
  const waiting = new Map<number, (told: Told | null) => void>();
  let orders = 0;
  let paused = false;
  const isDead = () => child.exitCode !== null || child.signalCode !== null;
  child.on("exit", () => {
    for (const settle of waiting.values()) settle(null);
  });
  child.on("error", () => undefined);
  await Promise.race([once(child, "message"), once(child, "exit")]);
  if (isDead()) throw new Error("A worker ended before it was ready.");
  child.on("message", (message) => {
    const { n, told } = replySchema.parse(message);
    waiting.get(n)?.(told);
    waiting.delete(n);
  });

  return {
    get paused() {
      return paused;
    },
    get dead() {
      return isDead();
    },
    tell(wish) {
      if (isDead()) return Promise.resolve(null);
      const n = orders++;
      return new Promise((settle) => {
        waiting.set(n, settle);
        child.send({ ...wish, n }, (error) => error && settle(null));
      });
    },
    pause() {
      paused = child.kill("SIGSTOP");
    },
    goOn() {
      if (paused) child.kill("SIGCONT");
      paused = false;
    },
    async kill() {
      await end(child);
    },
  };
}

/** A stopped process is let go on first. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGCONT");
  child.kill("SIGKILL");
  await gone;
}

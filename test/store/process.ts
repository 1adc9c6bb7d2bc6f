import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Migrations } from "../../src/store/sqlite/migrate.ts";
import type { Store } from "../../src/store/store.ts";

type Method = Exclude<keyof Store, "digestKey" | "watch">;
type Reply<M extends Method> = Awaited<ReturnType<Store[M]>>;
interface Answer {
  id?: number;
  value?: unknown;
  error?: { code: string; message: string };
}

/** A store in another process. `at` is the wall time to start at, for races. */
export interface StoreProcess {
  /** The digest key in hex. */
  open(file: string, options?: { at?: number; dieAt?: string; migrations?: Migrations }): Promise<string>;
  call<M extends Method>(method: M, args: Parameters<Store[M]>, at?: number): Promise<Reply<M>>;
  close(): Promise<void>;
  /** Ends the process at once. */
  kill(): Promise<void>;
}

/** @param user numeric user to run as, where this process may choose */
export async function startProcess(user?: number): Promise<StoreProcess> {
  const child = fork(new URL("./process-child.ts", import.meta.url), {
    execArgv: ["--import", "tsx"],
    serialization: "advanced",
    ...(user !== undefined && { uid: user, gid: user }),
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  child.on("message", (answer: Answer) => answer.id !== undefined && waiting.get(answer.id)?.(answer));
  child.on("exit", () => {
    for (const settle of waiting.values()) settle({ error: { code: "gone", message: "The process ended." } });
  });
  await once(child, "message");

  let orders = 0;
  async function ask(order: object): Promise<unknown> {
    const id = orders++;
    const answer = await new Promise<Answer>((settle) => {
      waiting.set(id, settle);
      child.send({ id, at: 0, ...order });
    });
    waiting.delete(id);
    if (answer.error) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer.value;
  }

  return {
    open: async (file, options = {}) => String(await ask({ kind: "open", file, ...options })),
    // The other end of this pipe runs the same contract.
    call: <M extends Method>(method: M, args: Parameters<Store[M]>, at = 0) =>
      ask({ kind: "call", method, args, at }) as Promise<Reply<M>>,
    close: async () => void (await ask({ kind: "close" })),
    kill: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** Runs `use` with as many processes as asked for and ends them whatever happens. */
export async function withProcesses<T>(
  count: number,
  use: (processes: StoreProcess[]) => Promise<T>,
): Promise<T> {
  const processes = await Promise.all(Array.from({ length: count }, () => startProcess()));
  try {
    return await use(processes);
  } finally {
    await Promise.all(processes.map((one) => one.kill()));
  }
}

/** A moment soon enough to wait for and late enough that everybody hears of it first. */
export function soon(): number {
  return Date.now() + 4;
}

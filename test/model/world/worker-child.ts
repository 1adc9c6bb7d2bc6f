/** One worker, told what to do over IPC. It ends with its parent. */
import { startWorker, type Worker, type WorkerOptions } from "./worker.ts";

export interface WorkerOrder {
  nr: number;
  what: "start" | "dieAt" | Exclude<keyof Worker, "owner" | "close" | "kill">;
  args: unknown[];
}

export interface WorkerReply {
  nr: number;
  error?: { code: unknown; message: string };
}

let worker: Worker | null = null;
/** Moments left; 0 while nothing is to happen. */
let left = 0;

process.on("message", (order: WorkerOrder) => void answer(order));
process.on("disconnect", () => process.exit());

async function answer(order: WorkerOrder): Promise<void> {
  try {
    await obey(order);
    process.send?.({ nr: order.nr } satisfies WorkerReply);
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    process.send?.({ nr: order.nr, error: { code, message: String(error) } } satisfies WorkerReply);
  }
}

async function obey({ what, args }: WorkerOrder): Promise<void> {
  switch (what) {
    case "start": {
      // The other end of this pipe runs the same code.
      const [options] = args as [WorkerOptions];
      worker = await startWorker({ ...options, faults: countDown });
      return;
    }
    case "dieAt":
      left = Number(args[0]);
      return;
    default:
      await Reflect.apply(Reflect.get(worker ?? {}, what), worker, args);
  }
}

function countDown(): undefined {
  if (left === 0) return;
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
}

import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { invalidRequest, Rejection, unknownRoute } from "../model/api-error.ts";
import { type Call, replyJson } from "./call.ts";
import { readJson } from "./read-json.ts";

export const CONTROL_PREFIX = "/_sim/";

/** What another process may do with the simulator: the same as its owner, in JSON. */
export interface Controlled {
  /** @throws ZodError where it is not a rule; so does `scriptLater` */
  script(rule: unknown): void;
  scriptLater(rule: unknown): void;
  release(): void;
  reset(): void;
  pause(): Promise<void>;
  resume(): Promise<void>;
  readonly ledger: object;
}

const pauseBody = z.strictObject({ ms: z.int().min(0).max(600_000) });

/** `/_sim/…`. These calls are in no ledger and need no key. */
export async function serveControl(call: Call, simulator: Controlled): Promise<void> {
  const { method, path } = call.record;
  switch (`${method} ${path.slice(CONTROL_PREFIX.length)}`) {
    case "POST script":
      await obey(call, (body) => simulator.script(body));
      break;
    case "POST later":
      await obey(call, (body) => simulator.scriptLater(body));
      break;
    case "POST release":
      simulator.release();
      break;
    case "POST reset":
      simulator.reset();
      break;
    case "POST pause": {
      const { ms } = await obey(call, (body) => pauseBody.parse(body));
      call.outgoing.once("finish", () => void closePortFor(ms, simulator));
      break;
    }
    case "GET ledger":
      return replyJson(call, 200, simulator.ledger);
    default:
      throw new Rejection(unknownRoute(method, path));
  }
  replyJson(call, 200, {});
}

async function obey<Result>(call: Call, order: (body: unknown) => Result): Promise<Result> {
  const { body } = await readJson(call);
  try {
    return order(body);
  } catch (error) {
    if (error instanceof z.ZodError) throw new Rejection(invalidRequest(z.prettifyError(error)));
    throw error;
  }
}

/** The answer to the order goes out before the port is closed. */
async function closePortFor(ms: number, simulator: Controlled): Promise<void> {
  await simulator.pause();
  await sleep(ms, undefined, { ref: false });
  await simulator.resume();
}

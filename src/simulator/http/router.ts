import type { RequestListener } from "node:http";
import { Rejection, serverError, unknownRoute } from "../model/api-error.ts";
import type { State } from "../state.ts";
import { type Call, openCall, replyError } from "./call.ts";
import { cancelResponse } from "./cancel.ts";
import { CONTROL_PREFIX, type Controlled, serveControl } from "./control-routes.ts";
import { createResponse } from "./create.ts";
import { deleteResponse } from "./delete.ts";
import { retrieveResponse } from "./retrieve.ts";

type Handler = (call: Call, state: State, id: string) => Promise<void>;

const ROUTES: readonly (readonly [string, RegExp, Handler])[] = [
  ["POST", /^\/v1\/responses$/, createResponse],
  ["GET", /^\/v1\/responses\/([^/]+)$/, retrieveResponse],
  ["DELETE", /^\/v1\/responses\/([^/]+)$/, deleteResponse],
  ["POST", /^\/v1\/responses\/([^/]+)\/cancel$/, cancelResponse],
];

/** Serves the API, and the control calls where there is somebody to control, whatever is sent. */
export function createRouter(state: State, controlled: Controlled | undefined): RequestListener {
  return async (incoming, outgoing) => {
    const call = openCall(incoming, outgoing, state.now());
    try {
      if (controlled && call.record.path.startsWith(CONTROL_PREFIX)) await serveControl(call, controlled);
      else await serveApi(call, state);
    } catch (error) {
      recover(call, error);
    }
  };
}

async function serveApi(call: Call, state: State): Promise<void> {
  state.ledger.record(call.record);
  await route(call, state);
}

async function route(call: Call, state: State): Promise<void> {
  const { method, path } = call.record;
  for (const [wanted, pattern, handle] of ROUTES) {
    const match = method === wanted ? pattern.exec(path) : null;
    if (match) return handle(call, state, decodeId(match[1] ?? ""));
  }
  throw new Rejection(unknownRoute(method, path));
}

/** What is not properly encoded names no response: it is left as it came. */
function decodeId(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function recover(call: Call, error: unknown): void {
  if (call.gone.aborted) return;
  if (call.outgoing.headersSent) call.outgoing.destroy();
  else replyError(call, error instanceof Rejection ? error.error : serverError());
}

/** The three methods of the Tasks extension, for requests that this or any other process on the database made. */
import {
  MissingRequiredClientCapabilityError,
  type ProtocolError,
  type Result,
  type Server,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { ClaimcheckError } from "../../contract/errors.ts";
import { requestId } from "../../contract/fields.ts";
import type { Engine } from "../../engine/engine.ts";
import { clientBehind } from "../client.ts";
import { orRefusal } from "../refusal.ts";
import type { CallParts } from "../tool-call.ts";
import { tasksExtension } from "./extension.ts";
import { taskOf } from "./task.ts";

const taskMethods = ["tasks/get", "tasks/update", "tasks/cancel"] as const;
type TaskMethod = (typeof taskMethods)[number];

const taskParams = z.looseObject({ taskId: z.unknown().optional() });

/** Declares the extension and serves its methods; for a server of the modern era, before it connects. */
export function serveTasks(server: Server, parts: CallParts): void {
  server.registerCapabilities({ extensions: { [tasksExtension]: {} } });
  for (const method of taskMethods) {
    server.setRequestHandler(method, { params: taskParams }, ({ taskId }, { mcpReq: request }) => {
      const client = clientBehind(server, "modern", request);
      if (!client.takesTasks) throw undeclared(method);
      return orRefusal(parts, { name: method }, () => act(parts, method, taskId, request.signal));
    });
  }
}

async function act(
  parts: CallParts,
  method: TaskMethod,
  taskId: unknown,
  signal: AbortSignal,
): Promise<Result> {
  const id = requestId.safeParse(taskId);
  if (!id.success) throw new ClaimcheckError("unknown_request", "A task's id is the UUID of its request.");
  return acts[method](await parts.engine(), id.data, signal);
}

/** Polling is how the client waits, so nothing waits here. */
const atOnce = 0;

const acts: Record<TaskMethod, (engine: Engine, id: string, signal: AbortSignal) => Promise<Result>> = {
  /** Lets what can be collected be collected, and hands the answer over when it is there: then it is delivered. */
  "tasks/get": async (engine, id, signal) => ({
    ...taskOf(await engine.wait(id, { budgetMs: atOnce, signal })),
  }),

  /** "A server SHOULD ignore any `inputResponses` responses mapped to a key that is not currently outstanding": none is. */
  "tasks/update": async (engine, id) => {
    await engine.inspect(id);
    return {};
  },

  /** "A server is not obligated to actually stop the work; it is only obligated to acknowledge the request." */
  "tasks/cancel": async (engine, id, signal) => {
    await engine.cancel(id, { budgetMs: atOnce, signal }).catch(unlessItGoesOnAllTheSame);
    return {};
  },
};

function unlessItGoesOnAllTheSame(error: unknown): void {
  const code = error instanceof ClaimcheckError ? error.code : undefined;
  if (code !== "not_allowed_in_state" && code !== "upstream_unreachable") throw error;
}

/** "Servers MUST return this error for non-declaring clients issuing `tasks/get`, `tasks/update`, and `tasks/cancel`." */
function undeclared(method: TaskMethod): ProtocolError {
  return new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
    `${method} is for clients that declare ${tasksExtension} with the request. Others call the tool answers with {"action":"wait","request_id":…}.`,
  );
}

/** One tools/call, from its arguments to its result: the one place that knows what happens when it goes wrong. */
import {
  type CallToolResult,
  type InputRequiredResult,
  isInputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { ClaimcheckError } from "../contract/errors.ts";
import type { Engine, Waiter } from "../engine/engine.ts";
import { defaultWaitMs } from "../hosts/waiting.ts";
import type { Client } from "./client.ts";
import { confirmed } from "./confirm/confirm.ts";
import { failed, unexpected } from "./failure.ts";
import type { Log } from "./log.ts";
import { answeredByPerson } from "./person/answered.ts";
import { type ProgressReporter, progressReporter } from "./progress.ts";
import { type Answer, toResult } from "./reply.ts";
import { promptWaiter } from "./tasks/prompt-waiter.ts";
import { taskCreated } from "./tasks/task.ts";
import type { Call, Outcome, Tool } from "./tool.ts";

/** A call returns inside its wait: what the reply itself may take comes off it, in ms; of a short wait a tenth. */
export const replyMs = 200;

export interface CallParts {
  /** The engine, connected on first use; rejects with a `ClaimcheckError`. */
  engine: () => Promise<Engine>;
  /** Milliseconds every call waits by default, whatever the host; undefined leaves it to the host. */
  waitMs?: number | undefined;
  log: Log;
  /** Milliseconds on a clock that does not jump. */
  monotonicMs: () => number;
  newId: () => string;
}

export interface Asked {
  tool: Tool;
  given: unknown;
  client: Client;
  request: ServerContext["mcpReq"];
}

/** Never rejects: whatever happens, the caller gets a result that says what to do next. */
export async function callTool(
  parts: CallParts,
  asked: Asked,
): Promise<CallToolResult | InputRequiredResult> {
  const begun = parts.monotonicMs();
  const { tool, given, request } = asked;
  const progress = progressReporter(request._meta?.progressToken, request.notify);
  let claimed = false;
  const onClaimed = () => {
    claimed = true;
  };
  const outcome = await tool
    .answer(given, callFor(parts, asked, { onProgress: progress.onProgress, onClaimed }, begun))
    .catch((error: unknown) => failed(tool.name, given, toldOf(parts, asked, error)));
  progress.stop();
  const result = resultOf(outcome, asked.client.takesTasks && claimed);
  logCall(parts, asked, outcome, begun);
  return result;
}

/**
 * A task stands for an answer that is still being made, and comes from the call that began it. Whoever joins that
 * work, or waits for it, waits as ever: clients follow each task once, and refuse a second one of the same id.
 */
function resultOf(outcome: Outcome, mayBeTask: boolean): CallToolResult | InputRequiredResult {
  if (isInputRequiredResult(outcome)) return outcome;
  return mayBeTask && outcome.underWay !== undefined
    ? taskCreated(outcome, outcome.underWay)
    : toResult(outcome);
}

function logCall(parts: CallParts, { tool, given, client, request }: Asked, outcome: Outcome, begun: number) {
  const answer = isInputRequiredResult(outcome) ? question : outcome;
  parts.log("info", "tool.called", {
    tool: tool.name,
    host: client.name,
    model: modelOf(answer),
    bytes_in: sizeOf(given),
    bytes_out: sizeOf(answer.body),
    ms: Math.round(parts.monotonicMs() - begun),
    outcome: request.signal.aborted ? "detached" : outcomeOf(answer),
  });
}

/** What the log says of a question to the person. */
const question: Pick<Answer, "body"> = { body: { status: "asked" } };

interface Hearing {
  onProgress: ProgressReporter["onProgress"];
  onClaimed: () => void;
}

function callFor(
  parts: CallParts,
  { client, request }: Asked,
  { onProgress, onClaimed }: Hearing,
  begun: number,
): Call {
  /** The wait began when the call came in; opening storage for it is part of it. */
  const left = (waitMs = defaultWaitMs(client.name, parts.waitMs)) =>
    Math.max(0, waitMs - Math.min(replyMs, waitMs / 10) - (parts.monotonicMs() - begun));
  const engine = async () => {
    const connected = await parts.engine();
    // A call given up before anything was claimed is not worth paying for.
    request.signal.throwIfAborted();
    return connected;
  };

  const waiterFor = (waitMs?: number): Waiter => ({
    budgetMs: left(waitMs),
    signal: request.signal,
    onClaimed,
    ...(onProgress !== undefined && { onProgress }),
  });

  // Who takes tasks polls for the answer and gains nothing by a call held open, unless it asks for that.
  const promptly = (waitMs: number | undefined) =>
    client.takesTasks && waitMs === undefined ? promptWaiter(waiterFor(waitMs)) : waiterFor(waitMs);

  return {
    engine,
    waiter: promptly,
    waiterOfAsk: (waitMs) => ({ ...promptly(waitMs), untilHandedOver: client.showsForms }),
    personally: async (view, waitMs) =>
      answeredByPerson(
        {
          client,
          request,
          engine: await engine(),
          leftMs: () => left(waitMs),
          waiter: () => waiterFor(waitMs),
        },
        view,
      ),
    confirm: (describe, waitMs) =>
      confirmed({ client, request, engine, leftMs: () => left(waitMs) }, describe),
  };
}

function toldOf(parts: CallParts, { tool, request }: Asked, error: unknown): ClaimcheckError {
  if (error instanceof ClaimcheckError) return error;
  // The reply to a cancelled call is dropped, and breaking off is no fault.
  if (request.signal.aborted) return new ClaimcheckError("shutting_down", "The call was cancelled.");
  return unexpected(tool.name, error, parts.log, parts.newId());
}

function outcomeOf({ body }: Pick<Answer, "body">): string {
  return body.status === "error" && typeof body["code"] === "string" ? body["code"] : body.status;
}

function modelOf({ body }: Pick<Answer, "body">): string | undefined {
  const model = body["model"] ?? body["requested_model"];
  return typeof model === "string" ? model : undefined;
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? {}));

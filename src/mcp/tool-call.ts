/** One tools/call, from its arguments to its result: the one place that knows what happens when it goes wrong. */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { ClaimcheckError } from "../contract/errors.ts";
import type { Engine } from "../engine/engine.ts";
import { failed, unexpected } from "./failure.ts";
import { defaultWaitMs } from "./hosts.ts";
import type { Log } from "./log.ts";
import { type ProgressReporter, progressReporter } from "./progress.ts";
import { type Answer, toResult } from "./reply.ts";
import type { Call, Tool } from "./tool.ts";

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
  /** What the client calls itself. */
  host: string | undefined;
  request: ServerContext["mcpReq"];
}

/** Never rejects: whatever happens, the caller gets a result that says what to do next. */
export async function callTool(parts: CallParts, asked: Asked): Promise<CallToolResult> {
  const begun = parts.monotonicMs();
  const { tool, given, request } = asked;
  const progress = progressReporter(request._meta?.progressToken, request.notify);
  const answer = await tool
    .answer(given, callFor(parts, asked, progress, begun))
    .catch((error: unknown) => failed(tool.name, given, toldOf(parts, asked, error)));
  progress.stop();
  const result = toResult(answer);
  parts.log("info", "tool.called", {
    tool: tool.name,
    host: asked.host,
    model: modelOf(answer),
    bytes_in: sizeOf(given),
    bytes_out: sizeOf(answer.body),
    ms: Math.round(parts.monotonicMs() - begun),
    outcome: request.signal.aborted ? "detached" : outcomeOf(answer),
  });
  return result;
}

function callFor(
  parts: CallParts,
  { host, request }: Asked,
  { onProgress }: ProgressReporter,
  begun: number,
): Call {
  /** The wait began when the call came in; opening storage for it is part of it. */
  const left = (waitMs: number) =>
    Math.max(0, waitMs - Math.min(replyMs, waitMs / 10) - (parts.monotonicMs() - begun));

  return {
    engine: async () => {
      const engine = await parts.engine();
      // A call given up before anything was claimed is not worth paying for.
      request.signal.throwIfAborted();
      return engine;
    },
    waiter: (waitMs) => ({
      budgetMs: left(waitMs ?? defaultWaitMs(host, parts.waitMs)),
      signal: request.signal,
      ...(onProgress !== undefined && { onProgress }),
    }),
  };
}

function toldOf(parts: CallParts, { tool, request }: Asked, error: unknown): ClaimcheckError {
  if (error instanceof ClaimcheckError) return error;
  // The reply to a cancelled call is dropped, and breaking off is no fault.
  if (request.signal.aborted) return new ClaimcheckError("shutting_down", "The call was cancelled.");
  return unexpected(tool.name, error, parts.log, parts.newId());
}

function outcomeOf({ body }: Answer): string {
  return body.status === "error" && typeof body["code"] === "string" ? body["code"] : body.status;
}

function modelOf({ body }: Answer): string | undefined {
  const model = body["model"] ?? body["requested_model"];
  return typeof model === "string" ? model : undefined;
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value ?? {}));

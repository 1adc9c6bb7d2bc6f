/**
 * A request as a task. Task and receipt are one thing: the id of the task is the request's, what is true of it is
 * read from its record, and nothing is kept beside it. So a task is there as long as its request, for every process
 * on the database.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { stateCards } from "../../../machines/states.ts";
import type { RequestView } from "../../contract/views.ts";
import { type Answer, delivered, toResult } from "../reply.ts";

/** One look costs a read of the local database; answers take seconds to minutes. */
const pollIntervalMs = 1_000;

interface Common {
  taskId: string;
  statusMessage: string;
  /** ISO 8601. */
  createdAt: string;
  lastUpdatedAt: string;
  /** Unlimited while there is work; what retention does later, it does after days, and never to what is unresolved. */
  ttlMs: null;
  pollIntervalMs: number;
}

/** As far as they happen here: nothing asks for input, and no request ends in a protocol error. */
export type Task =
  | (Common & { status: "working" | "cancelled" })
  | (Common & { status: "completed"; result: CallToolResult });

/** "A server returns `CreateTaskResult` in lieu of the standard result": the receipt as ever, and its task beside it. */
export function taskCreated(answer: Answer, request: RequestView): CallToolResult {
  return { ...toResult(answer), resultType: "task", ...working(request) };
}

/**
 * The request as its task is now. Work that somebody is at is `working`. Everything else has an outcome that the
 * caller has to act on, so it is `completed` with the very result that tools/call would have: "This includes tool
 * calls that returned results with `isError: true`", and recovery that needs a person is one of them. `cancelled`
 * has no result, so it is left to what was given up; a cancelled request still shows the text that was paid for.
 */
export function taskOf(request: RequestView): Task {
  const answer = delivered(request);
  if (answer.underWay !== undefined) return working(request);
  if (request.status === "abandoned") return { ...common(request), status: "cancelled" };
  return { ...common(request), status: "completed", result: toResult(answer) };
}

function working(request: RequestView): Task {
  return { ...common(request), status: "working" };
}

const pruned = "The answer was here and is no longer kept.";

function common({ request_id, status, timings }: RequestView): Common {
  return {
    taskId: request_id,
    statusMessage: status === "result_pruned" ? pruned : stateCards[status].sentence,
    createdAt: timings.created_at,
    lastUpdatedAt: timings.updated_at,
    ttlMs: null,
    pollIntervalMs,
  };
}

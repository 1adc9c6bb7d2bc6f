import * as z from "zod";
import { offsetField, requestId, sessionRef, waitField } from "./fields.ts";

export const answersActions = ["wait", "read", "inbox", "history"] as const;

export const answersInput = z.strictObject({
  action: z
    .enum(answersActions)
    .describe(
      "wait: for one request's answer. read: one page of it. inbox: finished but unread, running, needing attention. history: a session's turns.",
    ),
  request_id: requestId.optional().describe("UUID of the request; required for wait and read."),
  session_id: sessionRef
    .optional()
    .describe("UUID or name of a session; required for history. For inbox: only this session. Default: all."),
  offset: offsetField,
  wait_ms: waitField,
  limit: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe("For inbox and history: most rows, 1 to 100. Default 20."),
  before: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("For history: next_cursor of the page before. Default: the newest turns."),
});

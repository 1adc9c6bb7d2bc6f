import * as z from "zod";
import { sessionName, sessionRef, settingFields } from "./fields.ts";

export const sessionOperations = ["list", "get", "configure", "delete"] as const;
export const unsettable = [
  "name",
  "instructions",
  "model",
  "reasoning_effort",
  "verbosity",
  "max_output_tokens",
  "timeout_ms",
  "background",
] as const;

export const sessionsInput = z.strictObject({
  operation: z
    .enum(sessionOperations)
    .describe(
      "list: all, by id. get: one. configure: change its defaults. delete: one with its requests, here only.",
    ),
  session_id: sessionRef.optional().describe("UUID or name of the session; required but for list."),
  limit: z.number().int().min(1).max(100).optional().describe("For list: most rows, 1 to 100. Default 20."),
  after: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe("For list: next_cursor of the page before. Default: the first page."),
  name: sessionName
    .optional()
    .describe(
      "For configure: a name of 1 to 64 characters, unique, usable in place of the id. Default: unchanged.",
    ),
  instructions: z
    .string()
    .optional()
    .describe("For configure: system instructions of later turns. Default: unchanged."),
  ...settingFields,
  unset: z
    .array(z.enum(unsettable))
    .max(unsettable.length)
    .optional()
    .describe("For configure: defaults to clear, up to 8. Default: none."),
});

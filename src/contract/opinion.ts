import * as z from "zod";
import { requestId, sessionRef, waitField } from "./fields.ts";

const said = z.string().refine((text) => text.trim() !== "", "must say something");

/** A file or a part of one. Open, since hosts refuse closed objects inside arrays less often than unknown fields. */
const relevantFile = z.looseObject({
  path: z.string().min(1).max(1_024),
  content: z.string().optional(),
  language: z.string().max(64).optional(),
});

/** One shape for every second opinion. Descriptions are short: five tools repeat them in a model's context. */
export const opinionInput = z.strictObject({
  question: said.describe("What to answer; never trimmed."),
  context: z.string().optional().describe("Excerpts, what was tried. Default: none."),
  constraints: z.array(z.string()).max(50).optional().describe("What must hold, up to 50. Default: none."),
  expected_output: z.string().optional().describe("What the answer should contain. Default: advice."),
  project_summary: z.string().optional().describe("What the project is. Default: none."),
  task_summary: z.string().optional().describe("What you are doing. Default: none."),
  relevant_files: z
    .array(relevantFile)
    .max(100)
    .optional()
    .describe(
      "Objects {path, content, language}: files or parts, up to 5 of 12000 characters. Default: none.",
    ),
  logs: z.string().optional().describe("Log lines, up to 10000 characters. Default: none."),
  request_id: requestId.optional().describe("UUID you choose; repeats give the same answer. Default: new."),
  session_id: sessionRef.optional().describe("Session to continue. Default: a new one."),
  model: z.string().min(1).max(256).optional().describe("Model name. Default: the session's or server's."),
  wait_ms: waitField.describe("Wait in ms, 0 to 3600000; then a receipt. Default: by host."),
});

export type OpinionInput = z.infer<typeof opinionInput>;
export type RelevantFile = z.infer<typeof relevantFile>;

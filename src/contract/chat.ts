import * as z from "zod";
import { requestId, sessionRef, settingFields, waitField } from "./fields.ts";

export const chatInput = z.strictObject({
  message: z.string().min(1).describe("What to ask. With instructions at most 256 KiB by default."),
  session_id: sessionRef
    .optional()
    .describe(
      "UUID or name of the session to continue. Default: a new session, with the settings given here.",
    ),
  request_id: requestId
    .optional()
    .describe(
      "UUID you choose: with equal arguments it returns the same answer, never a second generation. Default: a new one.",
    ),
  instructions: z
    .string()
    .optional()
    .describe(
      'System instructions. A new session keeps them; in a session they hold for this call, "" for none. Default: the session\'s.',
    ),
  ...settingFields,
  wait_ms: waitField,
  provider: z
    .string()
    .min(1)
    .max(32)
    .optional()
    .describe("Provider of a new session; a session keeps its own. Default: the server's."),
});

export type ChatInput = z.infer<typeof chatInput>;

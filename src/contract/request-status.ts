import * as z from "zod";
import { requestId, waitField } from "./fields.ts";

export const statusActions = ["inspect", "recover", "abandon", "cancel", "attach"] as const;

export const requestStatusInput = z.strictObject({
  request_id: requestId.describe("UUID of the request."),
  action: z
    .enum(statusActions)
    .optional()
    .describe(
      "inspect: the record, no network. recover: collect the answer now. cancel: stop the work. abandon: give an unresolved request up. attach: name the response found upstream. Default inspect.",
    ),
  response_id: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("Upstream's response id, 1 to 128 characters; required for attach."),
  wait_ms: waitField,
});

import * as z from "zod";
import { requestStatusInput } from "../../contract/request-status.ts";
import type { RequestView } from "../../contract/views.ts";
import type { Engine } from "../../engine/engine.ts";
import { parseAction } from "../arguments.ts";
import { reported } from "../reply.ts";
import { type Call, defineTool } from "../tool.ts";

export const requestStatus = defineTool({
  name: "request_status",
  title: "Inspect or settle a request",
  description: `Look at one request, or settle it when it got stuck. inspect: what is known, without asking upstream. recover: collect an answer that was cut off; generates nothing. cancel: ask upstream to stop; text so far is kept. abandon: give up a request in recovery_required or unknown_outcome, so that its session is free again; does not stop upstream or its billing, and cannot be undone. attach: for unknown_outcome, name the response a person found upstream. To wait for an answer use answers {"action":"wait"} instead.`,
  input: requestStatusInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  answer: async (input, call) => {
    const { action: wanted = "inspect" } = input;
    const action = parseAction(`request_status ${wanted}`, actions, { ...input, action: wanted });
    return reported(await perform(action, await call.engine(), call));
  },
});

const withoutResponse = requestStatusInput.omit({ response_id: true });

/** What each action takes of the flat input. */
const actions = z.discriminatedUnion("action", [
  withoutResponse.extend({ action: z.enum(["inspect", "recover", "abandon", "cancel"]) }),
  requestStatusInput.required({ response_id: true }).extend({ action: z.literal("attach") }),
]);

async function perform(input: z.infer<typeof actions>, engine: Engine, call: Call): Promise<RequestView> {
  const { request_id: id, wait_ms } = input;
  switch (input.action) {
    case "inspect":
      return engine.inspect(id);
    case "recover":
      return engine.recover(id, call.waiter(wait_ms));
    case "abandon":
      return engine.abandon(id);
    case "cancel":
      return engine.cancel(id, call.waiter(wait_ms));
    case "attach":
      return engine.attach(id, input.response_id, call.waiter(wait_ms));
  }
}

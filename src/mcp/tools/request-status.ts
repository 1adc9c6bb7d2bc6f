import * as z from "zod";
import { stateCards } from "../../../machines/states.ts";
import { requestStatusInput } from "../../contract/request-status.ts";
import type { RequestView } from "../../contract/views.ts";
import type { Engine } from "../../engine/engine.ts";
import { refusedAbandon } from "../../engine/refusals.ts";
import { parseAction } from "../arguments.ts";
import type { Question } from "../confirm/question.ts";
import { reported } from "../reply.ts";
import { type Call, defineTool, type Outcome } from "../tool.ts";

export const requestStatus = defineTool({
  name: "request_status",
  title: "Inspect or settle a request",
  description: `Look at one request, or settle it when it got stuck. inspect: what is known, without asking upstream. recover: collect an answer that was cut off; generates nothing. cancel: ask upstream to stop; text so far is kept. abandon: give up a request in recovery_required or unknown_outcome, so that its session is free again; does not stop upstream or its billing, and cannot be undone. attach: for unknown_outcome, name the response a person found upstream. To wait for an answer use answers {"action":"wait"} instead.`,
  input: requestStatusInput,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  answer: async (input, call) => {
    const { action: wanted = "inspect" } = input;
    const action = parseAction(`request_status ${wanted}`, actions, { ...input, action: wanted });
    return perform(action, await call.engine(), call);
  },
});

const withoutResponse = requestStatusInput.omit({ response_id: true });

/** What each action takes of the flat input. */
const actions = z.discriminatedUnion("action", [
  withoutResponse.extend({ action: z.enum(["inspect", "recover", "abandon", "cancel"]) }),
  requestStatusInput.required({ response_id: true }).extend({ action: z.literal("attach") }),
]);

async function perform(input: z.infer<typeof actions>, engine: Engine, call: Call): Promise<Outcome> {
  const { request_id: id, wait_ms } = input;
  switch (input.action) {
    case "inspect":
      return reported(await engine.inspect(id));
    case "recover":
      return reported(await engine.recover(id, call.waiter(wait_ms)));
    case "abandon": {
      const unconfirmed = await call.confirm(() => givingUp(engine, id), wait_ms);
      return unconfirmed ?? reported(await engine.abandon(id));
    }
    case "cancel":
      return reported(await engine.cancel(id, call.waiter(wait_ms)));
    case "attach":
      return reported(await engine.attach(id, input.response_id, call.waiter(wait_ms)));
  }
}

/** What giving the request up would mean now; undefined where it was given up before. */
async function givingUp(engine: Engine, id: string): Promise<Question | undefined> {
  const request = await engine.inspect(id);
  const { request_id, session_id, status } = request;
  if (status === "abandoned") return undefined;
  const state = status === "result_pruned" ? "completed" : status;
  const refusal = refusedAbandon({ id: request_id, sessionId: session_id, state });
  if (refusal) throw refusal;
  return {
    facts: ["request_status abandon", request_id, status],
    text: givingUpText(request, stateCards[state].sentence),
    otherwise: "The request was not given up.",
    call: `request_status {"request_id":"${request_id}","action":"abandon"}`,
    ids: { request_id, session_id },
  };
}

function givingUpText(
  { request_id, session_id, status, requested_model, timings }: RequestView,
  meaning: string,
) {
  return `Give up request ${request_id} to ${requested_model}, made ${timings.created_at} in session ${session_id}? It is ${status}: ${meaning} Giving it up frees its session and cannot be undone. It stops neither the work upstream nor what that costs, and nothing stored there is deleted.`;
}

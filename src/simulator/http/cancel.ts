import { foregroundCancel, Rejection, responseNotFound } from "../model/api-error.ts";
import type { State } from "../state.ts";
import { answeredByHand } from "./by-hand.ts";
import { type Call, replyJson, requireKey } from "./call.ts";
import { nextStep, requireResponse } from "./later.ts";
import { sendScripted } from "./scripted-reply.ts";

/** `POST /v1/responses/{id}/cancel`: cancelling twice, or after the end, shows the response as it is. */
export async function cancelResponse(call: Call, state: State, id: string): Promise<void> {
  state.ledger.count("cancels");
  requireKey(call);
  await answeredByHand("cancel", call, state);
  const step = nextStep(state, id, ({ cancel }) => cancel);
  if (step === "not_found") throw new Rejection(responseNotFound(id));
  if (step !== undefined && step !== "normal") return sendScripted(call, step);
  const response = requireResponse(state, id);
  if (!response.request.background) throw new Rejection(foregroundCancel());
  response.cancel();
  replyJson(call, 200, response.snapshot);
}

/**
 * A request to a person, put before the one who uses the host, where the host shows forms. Nothing hangs on it: with
 * the form closed, or in a host without forms, the call ends with the receipt, and the answer comes another way.
 */
import { type InputRequiredResult, inputRequired, type ServerContext } from "@modelcontextprotocol/server";
import { ClaimcheckError } from "../../contract/errors.ts";
import type { RequestView } from "../../contract/views.ts";
import type { Engine, Waiter } from "../../engine/engine.ts";
import type { Client } from "../client.ts";
import { isSealOf, sealOf } from "../confirm/seal.ts";
import { showNow } from "../confirm/show-now.ts";
import { answerIn, formFor } from "./form.ts";

export interface Asking {
  client: Client;
  request: ServerContext["mcpReq"];
  engine: Engine;
  /** What is left of the call's wait, in ms. */
  leftMs: () => number;
  waiter: () => Waiter;
}

/** The only thing that is asked for in one call. */
const key = "answer";

/** The view with the person's answer, or as it was; or the form, in the era in which that is a result. */
export async function answeredByPerson(
  asking: Asking,
  view: RequestView,
): Promise<RequestView | InputRequiredResult> {
  const { prompt } = view;
  if (prompt === undefined || !asking.client.showsForms) return view;
  return asking.client.era === "modern"
    ? betweenCalls(asking, view, prompt)
    : duringTheCall(asking, view, prompt);
}

/** The same call comes once more with what was written, and joins the request; it must be of this very request. */
async function betweenCalls({ request, engine, waiter }: Asking, view: RequestView, prompt: string) {
  const asked = { facts: ["answer", view.request_id] };
  const reply = request.inputResponses?.[key];
  const isOurs = isSealOf(engine, asked, request.requestState());
  const text = answerIn(reply);
  if (isOurs && text !== null) return brought(engine, view, text, waiter());
  if (isOurs && reply !== undefined) return view;
  return inputRequired({
    inputRequests: { [key]: inputRequired.elicit(formFor(prompt)) },
    requestState: sealOf(engine, asked),
  });
}

/** In the era of handshakes the call stays open meanwhile. */
async function duringTheCall({ request, engine, leftMs, waiter }: Asking, view: RequestView, prompt: string) {
  const shown = await showNow(request, formFor(prompt), leftMs());
  const text = typeof shown === "string" ? null : answerIn(shown.result);
  return text === null ? view : brought(engine, view, text, waiter());
}

/** Where somebody else was faster, theirs is the answer. */
async function brought(engine: Engine, { request_id }: RequestView, text: string, waiter: Waiter) {
  await engine.answer(request_id, text).catch((error: unknown) => {
    if (!(error instanceof ClaimcheckError && error.code === "not_allowed_in_state")) throw error;
  });
  return engine.read(request_id, 0, waiter);
}

import { predecessorNotFound, Rejection } from "../model/api-error.ts";
import { type CreateRequest, parseCreateRequest } from "../model/create-request.ts";
import { generate, holdAt, rest } from "../model/generation.ts";
import { HeldResponse } from "../model/held-response.ts";
import type { Reply } from "../script/reply.ts";
import type { Scenario } from "../script/scenario.ts";
import type { State } from "../state.ts";
import { answeredByHand } from "./by-hand.ts";
import { breakOff, type Call, replyJson, requireKey } from "./call.ts";
import { readJson } from "./read-json.ts";
import { sendScripted } from "./scripted-reply.ts";
import { streamTo } from "./stream.ts";
import { type Treatment, treatmentOf } from "./treatment.ts";

/** `POST /v1/responses` */
export async function createResponse(call: Call, state: State): Promise<void> {
  state.ledger.count("attempts");
  const unread = state.rules.findUnread();
  if (unread.scenario.reply === "reset_unread") {
    unread.use();
    return breakOff(call, "reset");
  }
  requireKey(call);
  const request = await readRequest(call, state);
  await answeredByHand("create", call, state);
  const { scenario, use } = state.rules.find(request);
  const served = scenario.treatAs ? parseCreateRequest({ ...request, ...scenario.treatAs }) : request;
  requirePredecessor(state, served.previous_response_id);
  use();
  const treatment = treatmentOf(scenario);
  if (treatment.kind === "rejected") return sendScripted(call, treatment.reply);
  await answer(call, state, accept(call, state, served, scenario), treatment);
}

async function readRequest(call: Call, state: State): Promise<CreateRequest> {
  const { body, bytes } = await readJson(call);
  state.ledger.recordBody(call.record, body, bytes);
  return parseCreateRequest(body);
}

function requirePredecessor({ book }: State, id: string | null): void {
  if (id === null) return;
  const predecessor = book.findPredecessor(id);
  if (!predecessor || predecessor.hidesFromTurn()) throw new Rejection(predecessorNotFound(id));
}

/** From here on the call costs money: it is counted before a byte of the answer is sent. */
function accept(call: Call, state: State, request: CreateRequest, scenario: Scenario): HeldResponse {
  const requestId = request.metadata["request_id"] ?? call.record.headers["x-client-request-id"] ?? null;
  const response = new HeldResponse({ request, requestId, scenario, at: state.now() });
  state.book.add(response);
  state.ledger.countPost(requestId);
  return response;
}

async function answer(call: Call, state: State, response: HeldResponse, treatment: Treatment): Promise<void> {
  const { request, scenario, snapshot } = response;
  call.gone.addEventListener("abort", () => leave(call, response));
  await holdAt("body_read", response, state.gate);
  const generation = generate(response, state);
  await rest(scenario.pace?.headersMs ?? 0, call.gone);
  if (treatment.kind === "stand_in") return answerOtherwise(call, response, treatment.reply);
  if (request.stream && treatment.kind === "normal") return streamAnswer(call, state, response);
  if (request.background) return replyJson(call, 200, snapshot);
  await generation;
  replyJson(call, 200, response.snapshot);
}

/** A foreground answer exists on its connection only; a background one is there to be found, by whoever knows its id. */
async function answerOtherwise(call: Call, response: HeldResponse, reply: Reply): Promise<void> {
  if (!response.request.background) response.remove();
  await sendScripted(call, reply);
}

async function streamAnswer(call: Call, state: State, response: HeldResponse): Promise<void> {
  const { wire = {}, cut } = response.scenario;
  const end = await streamTo(call, response, 0, {
    wire,
    cut,
    beforeBreak: () => holdAt("cut", response, state.gate),
  });
  if (end === "cut" && !response.request.background && !cut?.finished && cut?.how !== "silence")
    response.remove();
}

/** The connection is gone: that ends a foreground generation, and can strand a background one. */
function leave({ record }: Call, response: HeldResponse): void {
  const { request, scenario } = response;
  if (response.settled) return;
  if (!request.background) response.remove();
  else if (request.stream && scenario.strandsEarlyLeavers && record.eventsSent < 2) response.stop();
}

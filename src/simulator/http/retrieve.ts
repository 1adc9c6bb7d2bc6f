import {
  invalidRequest,
  notStreamable,
  Rejection,
  responseNotFound,
  tooOldToStream,
} from "../model/api-error.ts";
import type { ResponseStatus } from "../model/api-types.ts";
import type { HeldResponse } from "../model/held-response.ts";
import { responseObject } from "../model/response-object.ts";
import type { Cut } from "../script/delivery.ts";
import type { State } from "../state.ts";
import { answeredByHand } from "./by-hand.ts";
import { type Call, replyJson, requireKey } from "./call.ts";
import { nextStep, requireReadable } from "./later.ts";
import { sendScripted } from "./scripted-reply.ts";
import { streamTo } from "./stream.ts";

const STREAMABLE_MS = 5 * 60 * 1_000;

/** `GET /v1/responses/{id}`, with `?stream=true&starting_after=N` or without */
export async function retrieveResponse(call: Call, state: State, id: string): Promise<void> {
  state.ledger.count("gets");
  requireKey(call);
  return call.url.searchParams.get("stream") === "true" ? resume(call, state, id) : retrieve(call, state, id);
}

async function retrieve(call: Call, state: State, id: string): Promise<void> {
  await answeredByHand("retrieve", call, state);
  const step = nextStep(state, id, ({ retrieve }) => retrieve);
  if (step === "not_found") throw new Rejection(responseNotFound(id));
  if (step === undefined || step === "normal") return show(call, requireReadable(state, id));
  if (step === "queued" || step === "in_progress") return show(call, requireReadable(state, id), step);
  return sendScripted(call, step);
}

function show(call: Call, response: HeldResponse, pretended?: ResponseStatus): void {
  replyJson(call, 200, pretended ? responseObject(response, { status: pretended }) : response.snapshot);
  response.poll();
}

async function resume(call: Call, state: State, id: string): Promise<void> {
  state.ledger.count("resumes");
  await answeredByHand("resume", call, state);
  const step = nextStep(state, id, ({ resume }) => resume);
  if (step === "not_found") throw new Rejection(responseNotFound(id));
  if (step === "expired") throw new Rejection(tooOldToStream());
  if (step === undefined || step === "normal") return streamAgain(call, state, id);
  if (typeof step === "object" && "cut" in step) return streamAgain(call, state, id, step.cut);
  return sendScripted(call, step);
}

async function streamAgain(call: Call, state: State, id: string, cut?: Cut): Promise<void> {
  const response = requireReadable(state, id);
  if (!response.request.stream) throw new Rejection(notStreamable());
  if (state.now() - response.createdAt > STREAMABLE_MS) throw new Rejection(tooOldToStream());
  await streamTo(call, response, firstNumber(call), { wire: response.scenario.wire ?? {}, cut });
}

function firstNumber({ url }: Call): number {
  const after = url.searchParams.get("starting_after");
  if (after === null) return 0;
  if (!/^\d{1,9}$/.test(after)) {
    const message = "Invalid type for 'starting_after': expected an integer.";
    throw new Rejection(invalidRequest(message, "starting_after", "invalid_type"));
  }
  return Number(after) + 1;
}

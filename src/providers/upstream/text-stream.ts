/**
 * From the one paid call to its reports, for providers that answer with one text and can be asked for nothing
 * afterwards. What tells providers apart, how a call is made and what an event means, comes from outside.
 */
import type { LossCause } from "../../../machines/evidence.ts";
import type { ClosingReport, Retrieval, StreamReport } from "../provider.ts";
import { classifyRefusal, classifySilence } from "./classify.ts";
import type { Exchange } from "./exchange.ts";
import { Oversized } from "./oversized.ts";
import type { HttpRefusal } from "./refusal.ts";
import { requestIdIn } from "./request-id.ts";
import { emptyTextDraft, outcomeOf, settledOf, type TextDraft } from "./text-draft.ts";
import { untilFault } from "./until-fault.ts";

export interface TextCall {
  /** Opens the exchange; rejects where its libraries cannot be loaded, and nothing was sent then. */
  open(): Promise<Exchange>;
  /** Makes the call; rejects for any reply that is no stream. */
  ask(exchange: Exchange): Promise<AsyncIterable<unknown>>;
  /** The HTTP refusal that a rejected `ask` stands for; null where none was received. */
  refusalOf(error: unknown, exchange: Exchange): HttpRefusal | null;
  /** Whether a stream's fault is an SDK's word for an error that upstream sent. */
  isUpstreams?(error: unknown): boolean;
  reduce(draft: TextDraft, event: unknown): TextDraft;
  caller: AbortSignal;
  textBytes: number;
}

export async function* textReports(call: TextCall): AsyncGenerator<StreamReport> {
  const exchange = await call.open().catch(() => null);
  if (exchange === null) {
    yield { type: "upstream.rejected", failure: { code: "not_sent", cause: "client_not_loaded" } };
    return;
  }
  try {
    const begun = await asked(call, exchange);
    if ("type" in begun) yield begun;
    else yield* follow(call, exchange, begun.events);
  } finally {
    exchange.close();
  }
}

async function asked(
  call: TextCall,
  exchange: Exchange,
): Promise<{ events: AsyncIterable<unknown> } | ClosingReport> {
  try {
    return { events: await call.ask(exchange) };
  } catch (error) {
    const refusal = call.refusalOf(error, exchange);
    return refusal === null
      ? classifySilence(exchange.facts, exchange.watch.interruption)
      : classifyRefusal(refusal);
  }
}

/** Returns at the end of the answer without waiting for the connection to end. */
async function* follow(
  { reduce, textBytes, caller, isUpstreams }: TextCall,
  exchange: Exchange,
  stream: AsyncIterable<unknown>,
): AsyncGenerator<StreamReport> {
  const { events, fault } = untilFault(stream);
  let draft = emptyTextDraft;
  let heard = 0;
  for await (const event of events) {
    const before = draft;
    draft = reduce(before, event);
    heard += 1;
    if (draft.ending !== null || draft.errorCode !== null) break;
    const report = reportOf(before, draft);
    if (report !== null) yield report;
  }
  yield settledOf(draft, textBytes) ??
    brokenOff(draft, lossOf(draft, exchange, heard, fault(), isUpstreams), exchange, caller, textBytes);
}

function reportOf(before: TextDraft, { responseId, model, chars }: TextDraft): StreamReport | null {
  if (responseId === null) return null;
  if (before.responseId === null)
    return { type: "upstream.accepted", responseId, model, sequence: null, echo: {} };
  return { type: "progress", chars, sequence: null };
}

function brokenOff(
  draft: TextDraft,
  cause: LossCause,
  { facts }: Exchange,
  caller: AbortSignal,
  textBytes: number,
): ClosingReport {
  if (caller.aborted)
    return { type: "aborted", partial: outcomeOf(draft, textBytes, "cancelled"), carry: null };
  const requestId = requestIdIn(facts.reply?.headers);
  return {
    type: "upstream.lost",
    cause,
    ...(requestId !== undefined && { upstreamRequestId: requestId }),
    partial: outcomeOf(draft, textBytes, null),
    carry: null,
  };
}

function lossOf(
  { errorCode }: TextDraft,
  { facts, watch }: Exchange,
  heard: number,
  fault: unknown,
  isUpstreams: TextCall["isUpstreams"],
): LossCause {
  if (fault instanceof Oversized) return "oversized";
  if (errorCode !== null || isUpstreams?.(fault)) return "stream_error";
  if (watch.interruption === "idle" || watch.interruption === "first_byte_timeout") return watch.interruption;
  if (fault instanceof SyntaxError) return facts.cutOff ? "ended" : "malformed";
  if (heard === 0 && fault === null) return "not_a_stream";
  return fault === null ? "ended" : "reset";
}

/** Nothing is kept upstream: never a fact about an answer, so it ends nothing. */
const keepsNothing: Retrieval = {
  type: "retrieval.faulted",
  failure: { code: "request_rejected", cause: "keeps_nothing" },
  retryAfterMs: null,
};

/** What such a provider says when it is asked about an answer all the same. */
export const askedInVain = {
  resume: (): AsyncIterable<StreamReport> => nothingToResume(),
  retrieve: async () => keepsNothing,
  cancel: async () => keepsNothing,
};

async function* nothingToResume(): AsyncGenerator<StreamReport> {
  yield { type: "upstream.lost", cause: "stream_error", partial: null, carry: null };
}

/** The two calls that are answered with a stream: the paid one, and going on with what it started. */
import type { Carry, ClosingReport, PaidCall, Provider, StreamReport } from "../provider.ts";
import { classifyRefusal, classifySilence } from "../upstream/classify.ts";
import { refusalOf } from "../upstream/refusal.ts";
import { type Draft, emptyDraft, resumedDraft } from "./draft.ts";
import type { Exchange } from "./exchange.ts";
import { brokenOff } from "./follow.ts";
import { paidBody } from "./paid-body.ts";
import { type ReportParts, reportsOf } from "./reports.ts";

export interface StreamParts extends ReportParts {
  /** Wall time in ms. */
  now: () => number;
}

export function createStreaming(parts: StreamParts): Pick<Provider, "send" | "resume"> {
  const { now, textBytes } = parts;

  function send(call: PaidCall, caller: AbortSignal): AsyncIterable<StreamReport> {
    return reportsOf(
      {
        purpose: "send",
        clientRequestId: call.requestId,
        caller,
        draft: emptyDraft(),
        ask: ({ responses }) => responses.create(paidBody(call)).withResponse(),
        unopened: notAnswered,
      },
      parts,
    );
  }

  function resume(responseId: string, carry: Carry | null, caller: AbortSignal): AsyncIterable<StreamReport> {
    const draft = resumedDraft(responseId, carry);
    const position = draft.after === null ? {} : { starting_after: draft.after };
    return reportsOf(
      {
        purpose: "resume",
        caller,
        draft,
        ask: ({ responses }) => responses.retrieve(responseId, { stream: true, ...position }).withResponse(),
        unopened: (error, exchange) => notResumed(error, draft, exchange, caller),
      },
      parts,
    );
  }

  function notAnswered(error: unknown, { facts, watch }: Exchange): ClosingReport {
    const refusal = refusalOf(error, facts, now());
    return refusal === null ? classifySilence(facts, watch.interruption) : classifyRefusal(refusal);
  }

  /** Upstream may stream a response no longer and still have it, so a refusal here is no fact about the response. */
  function notResumed(error: unknown, draft: Draft, exchange: Exchange, caller: AbortSignal): ClosingReport {
    const refusal = refusalOf(error, exchange.facts, now());
    const { interruption } = exchange.watch;
    if (refusal !== null) {
      const report = brokenOff(draft, "stream_error", exchange, caller, textBytes);
      return report.type === "upstream.lost" ? { ...report, status: refusal.status } : report;
    }
    const timedOut = interruption === "first_byte_timeout" || interruption === "idle";
    return brokenOff(draft, timedOut ? interruption : "reset", exchange, caller, textBytes);
  }

  return { send, resume };
}

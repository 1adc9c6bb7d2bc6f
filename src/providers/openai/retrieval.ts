/** What came back when upstream was asked about a response, as facts. */
import type { Failure } from "../../../machines/evidence.ts";
import type { Retrieval } from "../provider.ts";
import { classifyRefusal, connectionFailure } from "../upstream/classify.ts";
import { identifier } from "../upstream/identifier.ts";
import { Oversized } from "../upstream/oversized.ts";
import { refusalOf } from "../upstream/refusal.ts";
import { requestIdIn } from "../upstream/request-id.ts";
import { systemCause } from "../upstream/system-cause.ts";
import type { Exchange } from "./exchange.ts";
import { draftOf } from "./reduce.ts";
import { settledOf } from "./settled.ts";
import { echoOf, readResponse } from "./upstream.ts";

/**
 * Reads the body of a successful reply.
 *
 * @throws {SyntaxError} where it is no Response object
 */
export function readRetrieval(
  text: string,
  responseId: string,
  textBytes: number,
  requestId?: string,
): Retrieval {
  const response = readResponse(JSON.parse(text));
  if (response === null) throw new SyntaxError("Not a Response object.");
  const settled = settledOf(draftOf(response, responseId), { textBytes, requestId });
  if (settled !== null) return settled;
  return {
    type: "retrieval.pending",
    status: identifier(response.status, 32) ?? "unknown",
    model: response.model?.slice(0, 256) ?? null,
    echo: echoOf(response),
  };
}

/** Reads an asking that failed. Only a 404 says something about the response; the rest passes. */
export function failedRetrieval(error: unknown, exchange: Exchange, now: number): Retrieval {
  const refusal = refusalOf(error, exchange.facts, now);
  if (refusal === null) return faulted(faultOf(error, exchange));
  if (refusal.status === 404) return { type: "retrieval.missing" };
  const report = classifyRefusal(refusal);
  const failure: Failure =
    "failure" in report
      ? report.failure
      : {
          code: "upstream_unavailable",
          status: refusal.status,
          ...(refusal.requestId !== undefined && { upstreamRequestId: refusal.requestId }),
        };
  return faulted(failure, refusal.retryAfterMs);
}

function faulted(failure: Failure, retryAfterMs: number | null = null): Retrieval {
  return { type: "retrieval.faulted", failure, retryAfterMs };
}

/** Nothing, or nothing readable, came. */
function faultOf(error: unknown, { facts, watch }: Exchange): Failure {
  const neverTried = !facts.sent && facts.fault === null && watch.interruption === null;
  if (neverTried) return { code: "request_rejected", cause: "unusable_id" };
  if (facts.reply === null) return connectionFailure(facts.fault, watch.interruption);
  const cause = watch.interruption ?? unreadable(error) ?? systemCause(error);
  const requestId = requestIdIn(facts.reply.headers);
  return {
    code: "upstream_unavailable",
    status: facts.reply.status,
    ...(cause !== undefined && { cause }),
    ...(requestId !== undefined && { upstreamRequestId: requestId }),
  };
}

function unreadable(error: unknown): "malformed" | "oversized" | undefined {
  if (error instanceof SyntaxError) return "malformed";
  return error instanceof Oversized ? "oversized" : undefined;
}

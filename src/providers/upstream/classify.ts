/**
 * What it means for a paid call that it got an HTTP refusal, or no reply at all. The rule behind the table: only
 * what proves that nothing was started may be tried again, and only what proves a rejection is one.
 */
import type { Failure, LossCause } from "../../../machines/evidence.ts";
import type { ClosingReport } from "../provider.ts";
import type { Facts } from "./one-fetch.ts";
import { failureFrom, type HttpRefusal } from "./refusal.ts";
import { systemCause } from "./system-cause.ts";
import type { Interruption } from "./watch.ts";

/** First pause after a connection that did not come about; the engine lets it grow. */
const connectRetryMs = 250;
/** A response just finished can take this long to be found, and mostly longer (dotnet/extensions#7704). */
const readLagRetryMs = 2_000;

interface Row {
  when(refusal: HttpRefusal): boolean;
  means(refusal: HttpRefusal): ClosingReport;
}

/** The first row that fits decides. */
const rows: readonly Row[] = [
  { when: ({ status }) => status < 400, means: lost("not_a_stream") },
  { when: ({ status }) => status === 408, means: lost("gateway_error") },
  { when: ({ status, enveloped }) => status === 409 && !enveloped, means: lost("conflict") },
  { when: ({ status, enveloped }) => status === 503 && enveloped, means: rejected("upstream_unavailable") },
  { when: ({ status }) => status >= 500, means: lost("gateway_error") },
  { when: ({ upstreamCode }) => upstreamCode === "insufficient_quota", means: rejected("quota_exhausted") },
  {
    when: ({ status, retryAfterMs }) => status === 429 && retryAfterMs !== null,
    means: (refusal) => unstarted(failureFrom(refusal, "rate_limited"), refusal.retryAfterMs),
  },
  { when: ({ status }) => status === 429, means: rejected("rate_limited") },
  {
    when: ({ upstreamCode }) => upstreamCode === "previous_response_not_found",
    means: (refusal) => unstarted(failureFrom(refusal, "predecessor_missing"), readLagRetryMs),
  },
  { when: isAboutTheModel, means: rejected("model_unavailable") },
  { when: ({ status }) => status === 401 || status === 403, means: rejected("authentication_failed") },
  { when: isAboutAnOption, means: rejected("option_rejected") },
  { when: () => true, means: rejected("request_rejected") },
];

/** The closing report for a paid call that was answered with a refusal. */
export function classifyRefusal(refusal: HttpRefusal): ClosingReport {
  const row = rows.find(({ when }) => when(refusal));
  return (row?.means ?? lost("gateway_error"))(refusal);
}

/**
 * The closing report for a paid call that got no reply. Whether the request had reached a socket decides, not the
 * error's code: a TLS or reset error means nothing by itself, since it comes before as well as after.
 */
export function classifySilence(
  { sent, fault }: Pick<Facts, "sent" | "fault">,
  interruption: Interruption | null,
): ClosingReport {
  if (!sent && interruption === "caller") return unstarted({ code: "not_sent", cause: "aborted" }, null);
  if (!sent) return unstarted(connectionFailure(fault, interruption), connectRetryMs);
  if (interruption === "caller") return { type: "aborted", partial: null, carry: null };
  const cause = interruption === "first_byte_timeout" || interruption === "idle" ? interruption : "reset";
  return { type: "upstream.lost", cause, partial: null, carry: null };
}

export function connectionFailure(fault: unknown, interruption: Interruption | null): Failure {
  const cause = interruption ?? systemCause(fault);
  return { code: "connection_failed", ...(cause !== undefined && { cause }) };
}

/** The API says 400, 403 or 404 for a model that does not exist or is not for this key. */
function isAboutTheModel({ upstreamCode, upstreamParam }: HttpRefusal): boolean {
  return (
    upstreamCode === "model_not_found" || upstreamCode === "DeploymentNotFound" || upstreamParam === "model"
  );
}

const contentParams = ["input", "instructions", "previous_response_id"];

function isAboutAnOption({ status, upstreamCode = "", upstreamParam }: HttpRefusal): boolean {
  if (status !== 400 && status !== 422) return false;
  if (upstreamParam === undefined) return /^(unsupported|unknown)_(parameter|value)$/.test(upstreamCode);
  const [root = ""] = upstreamParam.split(/[.[]/);
  return !contentParams.includes(root);
}

function rejected(code: Failure["code"]) {
  return (refusal: HttpRefusal): ClosingReport => ({
    type: "upstream.rejected",
    failure: failureFrom(refusal, code),
  });
}

function unstarted(failure: Failure, retryAfterMs: number | null): ClosingReport {
  return { type: "upstream.unstarted", failure, retryAfterMs };
}

function lost(cause: LossCause) {
  return ({ status, requestId }: HttpRefusal): ClosingReport => ({
    type: "upstream.lost",
    cause,
    status,
    ...(requestId !== undefined && { upstreamRequestId: requestId }),
    partial: null,
    carry: null,
  });
}

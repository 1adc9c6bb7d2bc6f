/** What a caller should do now, as an exact call. Hosts show models little else, so this must be enough. */
import type { Failure } from "../../machines/evidence.ts";
import type { RequestSnapshot } from "../../machines/snapshots.ts";
import { stateOf } from "../../machines/snapshots.ts";
import { phaseOf } from "../../machines/states.ts";
import type { FailureView } from "../contract/warnings.ts";

export interface Situation {
  requestId: string;
  sessionId: string;
  snapshot: RequestSnapshot;
  pruned: boolean;
  recovering: boolean;
  endpointDiffers: boolean;
  /** A person answers it, whoever they are and wherever they bring the answer. */
  isPersons?: boolean;
  nextOffset?: number;
}

const call = (tool: string, args: Record<string, unknown>) => `${tool} ${JSON.stringify(args)}`;

export function nextStep(situation: Situation): string {
  const { requestId, sessionId, snapshot } = situation;
  const wait = call("answers", { action: "wait", request_id: requestId });
  const abandon = call("request_status", { action: "abandon", request_id: requestId });
  if (situation.pruned)
    return "The answer was pruned by retention; its record and usage remain. Ask again with a new request_id if you still need it: that is a new paid call.";
  const state = stateOf(snapshot);
  if (situation.isPersons && phaseOf(state) !== "final") return personStep(requestId, wait);
  switch (state) {
    case "claimed":
      return `${claimedStep(snapshot)} Collect the answer with ${wait}. Asking again would not be a retry of this call.`;
    case "streaming":
      return `The work goes on. Collect the answer with ${wait}. Asking again would not be a retry of this call.`;
    case "recovery_required":
      return recoveryStep(situation, wait, abandon);
    case "unknown_outcome":
      return unknownStep(situation, abandon);
    case "completed":
    case "refused":
    case "incomplete":
      return answeredStep(situation, sessionId);
    case "failed":
      return failedStep(snapshot, requestId);
    case "abandoned":
      return "Abandoned. Upstream work was not stopped by this and may still be billed. Ask again with a new request_id.";
  }
}

function personStep(requestId: string, wait: string): string {
  return `A person answers this one: show them the prompt, and have their answer brought with claimcheck answer ${requestId} (on its standard input). Then ${wait}. To take it back: ${call("request_status", { action: "cancel", request_id: requestId })}.`;
}

function claimedStep({ value, context }: RequestSnapshot): string {
  const deferred = typeof value === "object" && value.claimed === "deferred";
  if (!deferred) return "The work goes on.";
  return `Attempt ${context.attempts} did not start (${context.failure?.code ?? "connection_failed"}); another follows within the deadline.`;
}

function unknownStep({ requestId, snapshot }: Situation, abandon: string): string {
  if (!snapshot.context.retrievable)
    return `The call may have been made and billed, and this provider keeps no answers, so nobody can ask for it. Nothing will be sent again on its own: tell the user and let them decide. Give it up with ${abandon}; then asking anew is a new paid call.`;
  const responseId = snapshot.context.upstream?.responseId ?? "resp_…";
  const attach = call("request_status", { action: "attach", request_id: requestId, response_id: responseId });
  return `The call may have been made and billed, and its answer cannot be asked for. Nothing will be sent again on its own: tell the user and let them decide. Either give it up with ${abandon}, or, if you find the response upstream, ${attach}.`;
}

function recoveryStep(situation: Situation, wait: string, abandon: string): string {
  if (situation.endpointDiffers) {
    return `Another endpoint or key made this request; start claimcheck with that one to collect the answer with ${wait}, or give it up with ${abandon}.`;
  }
  const now = situation.recovering
    ? "It is being collected now"
    : "It can be collected without a new generation";
  return `${now}: ${wait}. To give it up: ${abandon}.`;
}

function answeredStep({ requestId, nextOffset, snapshot }: Situation, sessionId: string): string {
  if (nextOffset !== undefined) {
    return `More text follows: ${call("answers", { action: "read", request_id: requestId, offset: nextOffset })}.`;
  }
  if (stateOf(snapshot) === "incomplete") return incompleteStep(snapshot);
  if (snapshot.context.upstream?.contextIgnored) {
    return "Upstream ignored the conversation so far; this answer knows nothing of it and does not continue the session. Start a new session and give the context in the message.";
  }
  return `Continue with ${call("chat", { session_id: sessionId, message: "…" })}.`;
}

function incompleteStep(snapshot: RequestSnapshot): string {
  switch (snapshot.context.reason) {
    case "max_output_tokens":
      return "The answer ran out of tokens (reasoning counts too). Ask again with a new request_id and a larger max_output_tokens, or a lower reasoning_effort.";
    case "content_filter":
      return "Upstream's content filter ended the answer. Rephrase and ask with a new request_id.";
    case "cancelled":
      return "Cancelled on request; what had arrived was kept. Ask again with a new request_id if you still need it.";
    default:
      return "The answer ended early. Ask again with a new request_id if what is here does not do.";
  }
}

const failureAdvice: Record<Failure["code"], string> = {
  not_sent: "Nothing was sent, so nothing was billed. Ask again with a new request_id.",
  connection_failed:
    "Upstream could not be reached, so nothing was billed. Check the network and OPENAI_BASE_URL, then ask again with a new request_id.",
  rate_limited:
    "Upstream is limiting requests; nothing was generated. Wait as long as it says, then ask again with a new request_id.",
  quota_exhausted: "The account has no quota left; retrying does not help. Check billing at the provider.",
  authentication_failed:
    "Upstream refused the key. Check OPENAI_API_KEY and its project, restart the server, ask again with a new request_id.",
  model_unavailable:
    "Upstream does not offer this model to this key. Name another model; none is substituted silently.",
  option_rejected:
    "Upstream rejected an option; nothing was generated. Leave it out or change it (upstream_param names it) and ask with a new request_id.",
  predecessor_missing:
    "Upstream no longer has this session's last response, so it cannot be continued. Start a new session by leaving out session_id and give the context in the message; nothing was reset silently.",
  request_rejected:
    "Upstream rejected the request before generating anything. The evidence is in `failure`; change the request and use a new request_id.",
  upstream_unavailable: "Upstream said it did not take the request. Ask again later with a new request_id.",
  upstream_failed:
    "The model failed while answering. Ask again with a new request_id if it is worth another paid call.",
  response_missing:
    "Upstream no longer has the answer; it may have been billed. Ask again with a new request_id.",
};

function failedStep(snapshot: RequestSnapshot, requestId: string): string {
  const code = snapshot.context.failure?.code ?? "upstream_failed";
  return `${failureAdvice[code]} (request ${requestId} replays this failure.)`;
}

/** A failed request, or one whose last attempt did not start and that is waiting for the next. */
function tellsOfFailure({ value }: RequestSnapshot): boolean {
  return value === "failed" || (typeof value === "object" && value.claimed === "deferred");
}

export function failureView(snapshot: RequestSnapshot): FailureView | undefined {
  const failure = snapshot.context.failure;
  if (failure === null || !tellsOfFailure(snapshot)) return undefined;
  return {
    code: failure.code,
    message: failureAdvice[failure.code],
    ...(failure.status !== undefined && { http_status: failure.status }),
    ...(failure.upstreamCode !== undefined && { upstream_code: failure.upstreamCode }),
    ...(failure.upstreamParam !== undefined && { upstream_param: failure.upstreamParam }),
    ...(failure.upstreamRequestId !== undefined && { upstream_request_id: failure.upstreamRequestId }),
    ...(failure.retryAfterS !== undefined && { retry_after_s: failure.retryAfterS }),
    ...(failure.cause !== undefined && { cause: failure.cause }),
  };
}

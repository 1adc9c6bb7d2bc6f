/** Why a claim or a change was not taken, as errors that name what is in the way and the way on. */
import { phaseOf } from "../../machines/states.ts";
import { ClaimcheckError } from "../contract/errors.ts";
import type { ClaimOutcome, RequestRecord, SessionOutcome } from "../store/store.ts";

type Refusal = Exclude<ClaimOutcome, { kind: "claimed" | "replayed" | "joined" | "session_moved" }>;

const asCall = (tool: string, args: Record<string, string>) => `${tool} ${JSON.stringify(args)}`;

export function refusedClaim(outcome: Refusal, requestId: string): ClaimcheckError {
  switch (outcome.kind) {
    case "conflict":
      return new ClaimcheckError(
        "request_conflict",
        `request_id ${requestId} was already used with other arguments (${outcome.fields.join(", ")}). Repeat the call exactly to get its answer, or use a new request_id for a new question.`,
        { details: { request_id: requestId, fields: outcome.fields } },
      );
    case "blocked":
      return blocked(outcome.by);
    case "session_unknown":
      return unknownSession();
    case "full":
      return full(outcome);
  }
}

export function refusedSessionChange(outcome: Exclude<SessionOutcome, { kind: "done" }>): ClaimcheckError {
  switch (outcome.kind) {
    case "session_unknown":
      return unknownSession();
    case "name_taken":
      return new ClaimcheckError(
        "session_name_taken",
        `Another session (${outcome.by}) already has this name. Choose another one.`,
        { details: { fields: ["name"], session_id: outcome.by } },
      );
    case "blocked":
      return blocked(outcome.by);
    case "full":
      return full(outcome);
  }
}

/** All of a request that a refusal names. */
type InTheWay = Pick<RequestRecord, "id" | "sessionId" | "state">;

export function blocked(by: InTheWay): ClaimcheckError {
  const details = { request_id: by.id, session_id: by.sessionId, state: by.state };
  const wait = asCall("answers", { action: "wait", request_id: by.id });
  if (phaseOf(by.state) !== "unresolved") {
    return new ClaimcheckError(
      "session_busy",
      `Request ${by.id} is ${by.state} in this session. Wait for it with ${wait}, then continue; or leave out session_id to start a new session.`,
      { details },
    );
  }
  const abandon = asCall("request_status", { action: "abandon", request_id: by.id });
  const out =
    by.state === "recovery_required"
      ? `collect its answer with ${wait}`
      : `attach its response with ${asCall("request_status", { action: "attach", request_id: by.id, response_id: "resp_…" })}`;
  return new ClaimcheckError(
    "session_unresolved",
    `Request ${by.id} of this session is unresolved (${by.state}). Two ways out: ${out}, or give it up with ${abandon}.`,
    { details },
  );
}

export function notAllowed({ id, sessionId, state }: InTheWay, way: string): ClaimcheckError {
  return new ClaimcheckError("not_allowed_in_state", `Request ${id} is ${state}. ${way}`, {
    details: { request_id: id, session_id: sessionId, state },
  });
}

/** Why a request cannot be given up as it stands; undefined where it can. */
export function refusedAbandon(request: InTheWay): ClaimcheckError | undefined {
  const phase = phaseOf(request.state);
  if (phase === "live")
    return notAllowed(request, "It is still being worked on: wait for it, or cancel it first.");
  if (phase === "final" && request.state !== "abandoned")
    return notAllowed(request, "It is settled; read its answer instead.");
  return undefined;
}

export function unknownSession(): ClaimcheckError {
  return new ClaimcheckError(
    "unknown_session",
    `No such session here. ${asCall("sessions", { operation: "list" })} shows what is kept; leave out session_id to start a new one.`,
    { details: { fields: ["session_id"] } },
  );
}

export function unknownRequest(id: string): ClaimcheckError {
  return new ClaimcheckError(
    "unknown_request",
    `No request ${id} here. ${asCall("sessions", { operation: "list" })} shows the sessions, and answers history their requests; a request goes when its session is deleted.`,
    { details: { request_id: id } },
  );
}

const fullAdvice = {
  live: {
    code: "too_many_live",
    text: (max: number, holders: string[]) =>
      `${max} requests are live already (CLAIMCHECK_MAX_LIVE): ${holders.join(", ")}. Wait for one with answers wait, or cancel one.`,
  },
  sessions: {
    code: "too_many_sessions",
    text: (max: number) =>
      `${max} sessions are kept already (CLAIMCHECK_MAX_SESSIONS). Delete one with sessions delete, or continue an existing session.`,
  },
  requests: {
    code: "too_many_requests",
    text: (max: number) =>
      `${max} requests are kept already (CLAIMCHECK_MAX_REQUESTS). Deleting a session with sessions delete frees its requests.`,
  },
  content: {
    code: "content_full",
    text: (max: number) =>
      `The content budget of ${max} bytes (CLAIMCHECK_MAX_CONTENT_BYTES) has no room for another answer. Delete a session with sessions delete, or resolve what is unresolved.`,
  },
} as const;

function full({ limit, max, holders }: { limit: keyof typeof fullAdvice; max: number; holders: string[] }) {
  const { code, text } = fullAdvice[limit];
  const inTheWay = limit === "live" ? { requests: holders } : { sessions: holders };
  return new ClaimcheckError(code, text(max, holders), { details: { limit, max, ...inTheWay } });
}

import type { ErrorCode } from "../contract/errors.ts";

/** What a next step may name: the tool that was called and the request that is concerned or in the way. */
export interface Concerned {
  tool: string;
  requestId?: string | undefined;
}

/** The exact next step after an error, in calls that the host can make. */
export function nextStep(code: ErrorCode, concerned: Concerned): string {
  const step = steps[code];
  return typeof step === "string" ? step : step(concerned);
}

const inbox = 'answers {"action":"inbox"}';
const listSessions = 'sessions {"operation":"list"}';
const ticket = ({ requestId }: Concerned) => `"request_id":"${requestId ?? "…"}"`;
const wait = (concerned: Concerned) => `answers {"action":"wait",${ticket(concerned)}}`;
const status = (action: string, concerned: Concerned) =>
  `request_status {${ticket(concerned)},"action":"${action}"}`;

const forTheUser = (what: string) => `${what} This is for the user to do; tell them, then call again.`;

const steps: Record<ErrorCode, string | ((concerned: Concerned) => string)> = {
  invalid_arguments: ({ tool }) => `Nothing was sent. Correct the fields named and call ${tool} again.`,
  request_conflict:
    "Nothing was sent. Repeat the first arguments for the stored answer, or choose a fresh request_id for the new ones.",
  unknown_request: `Check the request_id; ${listSessions} lists the sessions; answers history shows the requests of one.`,
  unknown_session: `Check the session_id; ${listSessions} lists the sessions there are.`,
  session_busy: (concerned) => `Nothing was sent. ${wait(concerned)}, then call ${concerned.tool} again.`,
  session_unresolved: (concerned) =>
    `Nothing was sent. ${status("inspect", concerned)} tells the ways out; giving it up is for the user to decide. Then call ${concerned.tool} again.`,
  session_provider: "Leave provider out, or leave session_id out to start a session with that provider.",
  session_name_taken: "Choose another name, or use the session that has it.",
  model_required:
    'Pass model, or set the session\'s with sessions {"operation":"configure","session_id":…,"model":…}.',
  input_too_large: "Nothing was sent. Shorten the message or the instructions and call again.",
  limit_out_of_range: "Nothing was sent. Choose a value inside the range named and call again.",
  too_many_live: (concerned) =>
    `Nothing was sent. ${wait(concerned)} for one of the requests named, then call again.`,
  too_many_sessions: `Nothing was sent. Delete a session no longer needed: ${listSessions} shows them.`,
  too_many_requests: `Nothing was sent. Delete a session no longer needed, with its requests: ${listSessions} shows them.`,
  content_full: `Nothing was sent. Delete a session no longer needed, with its answers: ${listSessions} shows them.`,
  not_allowed_in_state: (concerned) =>
    `The message says what this state allows; ${status("inspect", concerned)} shows the whole record.`,
  response_taken: "Look upstream for the response of this very request; the one named belongs to another.",
  response_not_found: "Check the response id upstream and attach again.",
  endpoint_differs: forTheUser("Start the server with the endpoint and key that made this request."),
  result_pruned:
    "The answer is gone here and nothing is generated again under this id. Ask anew with a fresh request_id.",
  upstream_unreachable: (concerned) => `Nothing is lost. Try again later: ${status("recover", concerned)}.`,
  provider_unknown: "Leave provider out, or name one of the providers listed.",
  provider_unsupported: "Leave out what this provider cannot do, or start a session with another one.",
  key_missing: forTheUser("Set the provider's key in the server's environment and restart it."),
  config_invalid: forTheUser("Correct the setting named in the server's environment and restart it."),
  storage_unavailable:
    "Nothing was sent. Call again; if it stays, the user must check the data directory named.",
  storage_corrupt: forTheUser("Restore the database from a backup, or move it away to start empty."),
  storage_newer: forTheUser(
    "Upgrade claimcheck; the database was written by a newer one and left untouched.",
  ),
  storage_full: forTheUser("Free space on the disk that holds the data directory."),
  snapshot_newer: forTheUser(
    "Upgrade claimcheck; the request was written by a newer one and left untouched.",
  ),
  snapshot_unreadable: forTheUser("Restore the database from a backup; the request was left untouched."),
  shutting_down: `The server is ending. Call again once the host has started it anew; ${inbox} shows what was under way.`,
  internal: `Do not repeat a paid call before looking: ${inbox} shows whether it was made.`,
};

import type { ErrorCode } from "../contract/errors.ts";

/** What a next step may name: what was called, and the request and session that are concerned or in the way. */
export interface Concerned {
  tool: string;
  /** What the tool was asked to do, as far as it said. */
  action?: string | undefined;
  requestId?: string | undefined;
  sessionId?: string | undefined;
}

/** The exact next step after an error, in calls that the host can make; "…" stands for what only the caller knows. */
export function nextStep(code: ErrorCode, concerned: Concerned): string {
  const step = steps[code];
  return typeof step === "string" ? step : step(concerned);
}

const called = (tool: string, args: Record<string, string>) => `${tool} ${JSON.stringify(args)}`;

const inbox = called("answers", { action: "inbox" });
const listSessions = called("sessions", { operation: "list" });
const history = called("answers", { action: "history", session_id: "…" });
const deleteSession = called("sessions", { operation: "delete", session_id: "…" });

const wait = ({ requestId = "…" }: Concerned) => called("answers", { action: "wait", request_id: requestId });
const read = ({ requestId = "…" }: Concerned) => called("answers", { action: "read", request_id: requestId });
const inspect = ({ requestId = "…" }: Concerned) =>
  called("request_status", { request_id: requestId, action: "inspect" });
const attach = ({ requestId = "…" }: Concerned) =>
  called("request_status", { request_id: requestId, action: "attach", response_id: "…" });

/** Asking upstream once more for what it was asked just now. */
function onceMore(concerned: Concerned): string {
  const { action, requestId = "…" } = concerned;
  if (action === "attach") return attach(concerned);
  return called("request_status", {
    request_id: requestId,
    action: action === "cancel" ? "cancel" : "recover",
  });
}

const makeRoom = `${listSessions} shows what is kept, and ${deleteSession} takes a session that the user no longer needs, with its requests and answers; or the user raises the limit and restarts the server.`;

const forTheUser = (what: string) => `${what} This is for the user to do; tell them, then call again.`;
const doctor = "claimcheck doctor, in a shell, tells more.";

const steps: Record<ErrorCode, string | ((concerned: Concerned) => string)> = {
  invalid_arguments: ({ tool }) => `Nothing was sent. Correct the fields named and call ${tool} again.`,
  request_conflict: (concerned) =>
    `Nothing was sent. ${read(concerned)} has the answer to the first arguments; ask the new question with a fresh request_id.`,
  unknown_request: `Check the request_id. ${inbox} shows what waits for you, ${listSessions} the sessions, ${history} the requests of one.`,
  unknown_session: `Check the session_id; ${listSessions} lists the sessions there are.`,
  session_busy: (concerned) => `Nothing was done. ${wait(concerned)}, then call ${concerned.tool} again.`,
  session_unresolved: (concerned) =>
    `Nothing was done. ${inspect(concerned)} tells the ways out; giving it up is for the user to decide. Then call ${concerned.tool} again.`,
  session_provider: "Leave provider out, or leave session_id out to start a session with that provider.",
  context_missing: ({ tool }) =>
    `Nothing was sent. Call ${tool} without session_id, and give what the new session must know in the call.`,
  session_name_taken: ({ sessionId = "…" }) =>
    `Choose another name, or use the session that has it: ${called("sessions", { operation: "get", session_id: sessionId })}.`,
  model_required: ({ sessionId = "…" }) =>
    `Nothing was sent. Ask the user which model, and pass it as model, or keep it with ${called("sessions", { operation: "configure", session_id: sessionId, model: "…" })}.`,
  input_too_large: "Nothing was sent. Shorten what the message names and call again.",
  file_refused: ({ tool }) =>
    `Nothing was sent. Call ${tool} again without that file, or with the lines that matter as context.`,
  limit_out_of_range: ({ tool }) =>
    `Nothing was sent. Call ${tool} again with the field named inside its limit; raising the limit is for the user.`,
  too_many_live: (concerned) =>
    `Nothing was sent. ${wait(concerned)} for one of the requests named, then call again.`,
  too_many_sessions: `Nothing was sent. ${makeRoom}`,
  too_many_requests: `Nothing was sent. ${makeRoom}`,
  content_full: `Nothing was done. ${makeRoom}`,
  not_allowed_in_state: (concerned) =>
    `The message says what this state allows; ${inspect(concerned)} shows the whole record.`,
  response_taken: (concerned) =>
    `Look upstream for the response of this very request. The one named is the answer to another: ${read(concerned)}.`,
  response_not_found: (concerned) => `Check the response id upstream, then ${attach(concerned)}.`,
  endpoint_differs: forTheUser(
    "Start the server with the endpoint and key that made this request (OPENAI_BASE_URL, OPENAI_API_KEY).",
  ),
  result_pruned: `The answer is gone here, and nothing is generated again under this id. If it is still needed, ask anew, which is paid for: ${called("chat", { message: "…" })}.`,
  upstream_unreachable: (concerned) => `Nothing is lost. Try again later: ${onceMore(concerned)}.`,
  provider_unknown: "Leave provider out, or name one of the providers listed.",
  provider_unsupported: "Leave out what this provider cannot do, or start a session with another one.",
  key_missing: forTheUser("Set the provider's key in the server's environment and restart it."),
  config_invalid: forTheUser(
    `Correct the setting named in the server's environment and restart it. ${doctor}`,
  ),
  storage_unavailable: `Nothing was sent, or what was sent is on record: call again with the same arguments and request_id, and nothing is sent twice. If it stays so, the user must check the data directory. ${doctor}`,
  storage_corrupt: forTheUser(
    `Restore the database from a backup. A file that is another program's stays where it is: set CLAIMCHECK_DATA_DIR to a directory of claimcheck's own. ${doctor}`,
  ),
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

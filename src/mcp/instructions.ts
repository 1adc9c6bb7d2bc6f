/** What the server says of itself when a host connects. Claude Code cuts at 2,048 characters; we stay under 1,800. */

const opening =
  "claimcheck asks a paid model for you, and an answer once paid for is never lost and never paid for twice. Think of a cloakroom: chat hands the question in, request_id is the ticket, answers collects.";

const points = [
  "Ask with chat. For anything you may have to repeat, choose request_id (a UUID) yourself: the same id with the same arguments returns the same answer and sends nothing again.",
  'A reply with status claimed, streaming or recovery_required is a receipt, not an error: the work goes on without you. Collect with answers {"action":"wait","request_id":…}. Never ask the question again instead.',
  "Pass session_id to continue a conversation; without one, chat starts a new session. A session runs one request at a time.",
  'After a restart, a lost reply or a time-out: answers {"action":"inbox"} shows what is finished but unread, running, or needs attention.',
  "unknown_outcome means the call may have been made and billed, and nobody can tell. Do not repeat it on your own: tell the user, who can name the response (request_status attach) or give it up (abandon).",
  'Cancelling a tool call only ends the waiting. request_status {"action":"cancel"} asks upstream to stop.',
  'Long text comes in pages: while next_offset is there, answers {"action":"read","request_id":…,"offset":next_offset}.',
];

const secondOpinions =
  "For a second opinion on a plan, code, a fault or a design use review_plan, review_code, debug_issue or architecture_review, else ask_chatgpt. Pass only the parts that matter, and no secrets.";

const closing =
  "Every result has status; next says what to call now. An error has code, message and next, and says whether anything was sent. Messages go to the configured model provider and nowhere else.";

/** @param names of the tools that are listed: nothing else is spoken of */
export function instructionsFor(names: readonly string[]): string {
  const said = names.includes("ask_chatgpt") ? [...points, secondOpinions] : points;
  return [opening, said.map((point) => `- ${point}`).join("\n"), closing].join("\n\n");
}

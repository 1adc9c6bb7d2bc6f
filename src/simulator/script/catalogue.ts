import type { Scenario } from "./scenario.ts";

const EMOJI_TEXT = "Ten years, naïve café, and then 🎟️ the ticket.";

/** The POST is answered with something else, or not at all. */
const unanswered = {
  /** Reset before the body is read: nothing was started. */
  reset_before_reading: { reply: "reset_unread" },
  /** Reset after the body was read and counted. */
  reset_before_headers: { reply: "reset" },
  /** The same, by FIN. */
  hangup_before_headers: { reply: "hangup" },
  /** Read and counted, then nothing until `release()`. */
  no_headers: { hold: ["body_read"] },
  /** Headers that come later than a short first-byte limit. */
  slow_headers: { pace: { headersMs: 2_000 } },
  /** Headers at once, the first event late. */
  slow_first_event: { pace: { firstEventMs: 2_000 } },
  html_502: { reply: { status: 502, html: true } },
  html_503: { reply: { status: 503, html: true } },
  html_504: { reply: { status: 504, html: true } },
  /** In the API's envelope, with `x-request-id`. */
  error_500: { reply: 500 },
  error_503: { reply: 503 },
  conflict_409: { reply: 409 },
  timeout_408: { reply: 408 },
  /** 200, but not a stream. */
  json_instead_of_stream: { reply: "json" },
  html_200: { reply: "html" },
  empty_200: { reply: "empty" },
  malformed_json_200: { reply: "malformed_json" },
} satisfies Record<string, Scenario>;

/** The POST is refused and nothing generated: not counted. */
const rejected = {
  rate_limited: { reply: { status: 429, retryAfterS: 1 } },
  rate_limited_ms: { reply: { status: 429, retryAfterMs: 50 } },
  /** A 429 that does not say when to come back. */
  rate_limited_silently: { reply: 429 },
  /** A 429 that waiting does not cure. */
  quota_exhausted: {
    reply: {
      status: 429,
      type: "insufficient_quota",
      code: "insufficient_quota",
      message: "You exceeded your current quota, please check your plan and billing details.",
    },
  },
  wrong_key: { reply: 401 },
  forbidden: { reply: 403 },
  unknown_model: {
    reply: {
      status: 404,
      code: "model_not_found",
      message: "The model does not exist or you do not have access to it.",
    },
  },
  unsupported_parameter: {
    reply: {
      status: 400,
      code: "unsupported_parameter",
      param: "temperature",
      message: "Unsupported parameter: 'temperature' is not supported with this model.",
    },
  },
  /** The predecessor is not readable yet; with `times: n`, for the first n attempts. */
  predecessor_not_found: {
    reply: {
      status: 400,
      code: "previous_response_not_found",
      param: "previous_response_id",
      message: "Previous response not found.",
    },
  },
} satisfies Record<string, Scenario>;

/** The stream breaks off, stops or waits. */
const broken = {
  /** `response.created`, then silence; upstream finishes. */
  stall_after_created: { cut: { after: "created", how: "silence" } },
  stall_mid_text: { cut: { after: { delta: 2 }, how: "silence" } },
  /** `response.created`, then upstream itself waits for `release()`. */
  hold_after_created: { hold: ["created"] },
  hold_mid_text: { hold: [{ delta: 2 }] },
  hold_before_terminal: { hold: ["before_terminal"] },
  /** Queued until `release()`. */
  hold_queued: { hold: ["queued"] },
  eof_without_terminal: { cut: { after: "before_terminal", how: "eof" } },
  eof_after_created: { cut: { after: "created", how: "eof" } },
  eof_without_events: { cut: { after: { event: 0 }, how: "eof" } },
  reset_after_first_event: { cut: { after: { event: 1 }, how: "reset" } },
  reset_mid_text: { cut: { after: { delta: 2 }, how: "reset" } },
  fin_mid_text: { cut: { after: { delta: 2 }, how: "fin" } },
  fin_after_last_delta: { cut: { after: "last_delta", how: "fin" } },
  reset_before_terminal: { cut: { after: "before_terminal", how: "reset" } },
  fin_inside_character: { output: { text: EMOJI_TEXT }, cut: { after: "inside_character", how: "fin" } },
  fin_after_bytes: { cut: { after: { byte: 1_500 }, how: "fin" } },
  /** Stays queued for ever when its reader leaves before the second event. */
  stranded: { strandsEarlyLeavers: true, hold: ["created"] },
} satisfies Record<string, Scenario>;

/** Right events in unusual bytes. */
const unusualBytes = {
  burst: { wire: { writes: "burst" } },
  single_bytes: { output: { text: EMOJI_TEXT }, wire: { writes: "bytes" } },
  gzip: { wire: { gzip: true } },
  crlf: { wire: { lineEnding: "crlf" } },
  cr: { wire: { lineEnding: "cr" } },
  bom: { wire: { bom: true } },
  comments: { wire: { comments: true } },
  id_and_retry: { wire: { idAndRetry: true } },
  no_final_blank_line: { wire: { finalBlankLine: false } },
  no_event_lines: { wire: { eventLines: false } },
  bad_json: { wire: { badJson: true } },
  done_marker: { wire: { doneMarker: true } },
  kept_open: { wire: { keepOpen: true } },
} satisfies Record<string, Scenario>;

/** Unusual events. */
const unusualEvents = {
  keepalive: { noise: { keepalive: 3 } },
  unknown_events: { noise: { unknown: 3 } },
  oversized_event: { noise: { oversizedMiB: 9 } },
  no_sequence_numbers: { wire: { sequenceNumbers: false } },
  rotating_ids: { wire: { rotatingIds: true } },
  /** Flat, then nothing. */
  error_event_flat: { ending: { status: "failed", errorEvent: "flat", terminalEvent: false } },
  error_event_unnamed: {
    ending: { status: "failed", errorEvent: "flat", terminalEvent: false },
    wire: { eventLines: false },
  },
  /** Nested, then nothing. */
  error_event_nested: { ending: { status: "failed", errorEvent: "nested", terminalEvent: false } },
  /** What api.openai.com sends: nested, then `response.failed`. */
  error_event_then_failed: { ending: { status: "failed", errorEvent: "nested", code: "insufficient_quota" } },
  /** An error event on the stream of an answer that is completed all the same. */
  error_event_yet_completed: { ending: { errorEvent: "nested", terminalEvent: false } },
  completed_without_output: { ending: { bare: true } },
  completed_but_incomplete: { ending: { status: "incomplete", namedCompleted: true, afterDeltas: 2 } },
} satisfies Record<string, Scenario>;

/** Ends other than a plain answer. */
const endings = {
  failed: { ending: { status: "failed" } },
  failed_mid_text: { ending: { status: "failed", afterDeltas: 2 } },
  incomplete: { ending: { status: "incomplete", afterDeltas: 2 } },
  content_filter: { ending: { status: "incomplete", reason: "content_filter", afterDeltas: 2 } },
  /** All tokens spent on reasoning, no text. */
  reasoning_only: { output: { text: null, reasoningTokens: 1_024 }, ending: { status: "incomplete" } },
  refusal: { output: { refusal: "I'm sorry, but I can't help with that." } },
  function_call: { output: { functionCall: { name: "get_capital", arguments: '{"country":"France"}' } } },
  citations: {
    output: {
      text: "Paris is the capital of France.",
      citations: [{ url: "https://example.com/paris", title: "Paris" }],
    },
  },
  commentary: { output: { commentary: "Let me look that up.", text: "It is Paris." } },
  long_text: { output: { text: { chars: 60_000 }, deltaChars: 500 } },
} satisfies Record<string, Scenario>;

/** Servers that do not do what they were asked, and calls about a response that fail. */
const unreliable = {
  ignores_store: { treatAs: { store: false } },
  ignores_predecessor: { treatAs: { previous_response_id: null } },
  ignores_background: { treatAs: { background: false } },
  queued_for_long: { pace: { queuedForPolls: 5 } },
  read_lag: { readLag: { gets: 3, turns: 3 } },
  /** Every hiccup a retrieval can meet, then the answer. */
  rough_retrieval: {
    retrieve: [503, { status: 429, retryAfterS: 1 }, "reset", "malformed_json", "in_progress"],
  },
  resume_expired: { cut: { after: { delta: 2 }, how: "reset" }, resume: ["expired"] },
  resume_cut_again: {
    cut: { after: { delta: 2 }, how: "reset" },
    resume: [{ cut: { after: { delta: 1 }, how: "reset" } }],
  },
  cancel_fails_once: { hold: ["created"], cancel: [500] },
  completes_after_cancel: { hold: [{ delta: 1 }], ignoresCancel: true },
} satisfies Record<string, Scenario>;

/** The scenarios that have a name. Each is plain data: spread one to change a part of it. */
export const catalogue = {
  normal: {},
  ...unanswered,
  ...rejected,
  ...broken,
  ...unusualBytes,
  ...unusualEvents,
  ...endings,
  ...unreliable,
} satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof catalogue;

export function isScenarioName(name: unknown): name is ScenarioName {
  return typeof name === "string" && Object.hasOwn(catalogue, name);
}

/** What callers are shown. Snake case, since hosts and models read it as JSON; absent means "not known". */

import type { RequestState } from "../../machines/states.ts";
import type { EffectiveSettings, Settings } from "./settings.ts";
import type { FailureView, Warning } from "./warnings.ts";

/** A request and, when it is there and asked for, its answer or one page of it. */
export interface RequestView {
  status: RequestState | "result_pruned";
  request_id: string;
  session_id: string;
  tool: string;
  provider: string;
  turn: number;
  /** The answer's text, or the page asked for. */
  text?: string;
  refusal?: string;
  incomplete_reason?: string;
  failure?: FailureView;
  response_id?: string;
  requested_model: string;
  model?: string;
  settings: EffectiveSettings;
  usage?: Record<string, unknown>;
  /** Only with a price file; what is not known is said to be, with the reason. */
  cost?: { currency: string; amount: string; reason?: string };
  citations?: { url: string; title: string | null }[];
  /** Kinds of output there were, said when there is no text. */
  output_kinds?: string[];
  service_tier?: string;
  /** ISO 8601; durations in ms. */
  timings: { created_at: string; updated_at: string; finished_at?: string; elapsed_ms: number };
  /** Paging, in UTF-16 units. */
  offset?: number;
  total_chars?: number;
  next_offset?: number;
  /** The answer was larger than the result limit; `full_chars` is its whole length. */
  truncated?: boolean;
  full_chars?: number;
  attempts?: number;
  lost_to?: string;
  cancel_requested?: boolean;
  /** This process is collecting the answer now. */
  recovering?: boolean;
  /** This call came without an id and equals one under way or not yet delivered. */
  joined?: boolean;
  /** The answer was stored; nothing was sent. */
  replayed?: boolean;
  /** A person answers this request: what to give them. */
  prompt?: string;
  /** Whether the conversation is kept here, where the provider keeps none. */
  transcript?: "kept" | "not_kept";
  warnings: Warning[];
  /** What to call now. */
  next: string;
}

/** One line of an inbox, a history or a list: the record without its answer. */
export interface RequestLine {
  request_id: string;
  session_id: string;
  status: RequestState;
  tool: string;
  turn: number;
  requested_model: string;
  created_at: string;
  updated_at: string;
  finished_at?: string;
  delivered: boolean;
  pruned?: boolean;
  response_id?: string;
  usage?: Record<string, unknown>;
  next?: string;
}

export interface InboxView {
  unread: RequestLine[];
  running: RequestLine[];
  attention: RequestLine[];
  next: string;
}

export interface HistoryView {
  session_id: string;
  requests: RequestLine[];
  next_cursor?: string;
}

export interface SessionView {
  session_id: string;
  name?: string;
  provider: string;
  defaults: Settings;
  /** Instructions are content: their presence is said, their text is not. */
  has_instructions: boolean;
  latest_response_id?: string;
  active_request_id?: string;
  counts: { requests: number; completed: number; unresolved: number; live: number };
  /** Of all its requests; only where one session is looked at. */
  usage?: SumView;
  created_at: string;
  updated_at: string;
}

export interface SessionsView {
  sessions: SessionView[];
  next_cursor?: string;
}

/** Requests added up. Tokens that a provider did not count are in no sum; the requests concerned are said. */
export interface SumView {
  /** What they have in common: a date (UTC), an id, a name. */
  key: string;
  requests: number;
  /** What came from a cache or went into one included. */
  input_tokens: number;
  cached_input_tokens: number;
  cache_write_tokens: number;
  /** Reasoning included. */
  output_tokens: number;
  reasoning_tokens: number;
  /** Requests without known counts. */
  uncounted_requests?: number;
  /** Answers given again without a call, and answers collected after contact was lost. */
  not_paid_twice: { replays: number; recoveries: number };
  /** Only with a price file: of the requests whose cost is known. */
  cost?: { currency: string; amount: string; unknown_requests?: Readonly<Record<string, number>> };
}

export interface UsageView {
  by: string;
  groups: SumView[];
  total: SumView;
}

export interface JournalView {
  seq: number;
  note: number;
  event: string;
  state: RequestState;
  at: string;
  process: string;
  payload: Record<string, unknown>;
}

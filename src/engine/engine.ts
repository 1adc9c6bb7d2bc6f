/**
 * The lifecycle engine as callers see it: MCP tools, the CLI and library users send wishes here and read views.
 * It holds no state of its own beyond the work this process has in hand; everything else is in the store.
 */
import type { RequestState } from "../../machines/states.ts";
import type { AnswerFormat } from "../contract/answer-format.ts";
import type { Settings } from "../contract/settings.ts";
import type {
  HistoryView,
  InboxView,
  JournalView,
  RequestLine,
  RequestView,
  SessionsView,
  SessionView,
  UsageView,
} from "../contract/views.ts";
import type { UsageQuery } from "./usage.ts";

/** How a caller waits. Ending the wait never ends the request. */
export interface Waiter {
  /** Most milliseconds to wait, 0 or more. */
  budgetMs: number;
  /** Aborted when the caller no longer wants the reply: the waiter detaches, and nothing counts as delivered. */
  signal?: AbortSignal;
  /** Ends the wait as soon as a person has the question, for whoever then asks them. */
  untilHandedOver?: boolean;
  /** Called where this very call made the request: it is on disk, and about to be sent. */
  onClaimed?: () => void;
  /** Called at once and then at least every 5 s until the reply. */
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  state: RequestState;
  /** UTF-16 units of text so far; null when another process holds the stream. */
  chars: number | null;
  elapsedMs: number;
}

/** What a paid call says. */
export interface Composed {
  message: string;
  instructions?: string | undefined;
  /** The shape the answer should have, where the provider can hold it to one. */
  format?: AnswerFormat | undefined;
}

/** One paid call, as its caller asked for it; what it says may be made only once it is known that it is sent. */
export type Ask = Asked & (Composed | { compose(): Promise<Composed> });

interface Asked {
  tool: string;
  /** The caller's own arguments: what replays are compared by. `request_id` and `wait_ms` are left out. */
  callerArguments: Record<string, unknown>;
  requestId?: string | undefined;
  /** UUID or name. */
  sessionId?: string | undefined;
  /** Whether a new session keeps the instructions for its later turns; by default it does. */
  instructionsFor?: "session" | "call" | undefined;
  provider?: string | undefined;
  settings: Settings;
  /** The model where neither call nor session names one; goes before the provider's own default. */
  usualModel?: string | undefined;
}

export interface SessionChanges {
  name?: string | undefined;
  instructions?: string | undefined;
  settings: Settings;
  unset: readonly (keyof Settings | "name" | "instructions")[];
}

/** Every method rejects with a `ClaimcheckError` whose message says what to do next. */
export interface Engine {
  /** Claims and sends, replays, or joins; then waits inside the budget. Counts the answer as delivered. */
  ask(ask: Ask, waiter: Waiter): Promise<RequestView>;
  /** Waits for one request, letting what can be recovered be recovered. Counts the answer as delivered. */
  wait(requestId: string, waiter: Waiter): Promise<RequestView>;
  /** One page of an answer from `offset` (UTF-16 units); recovers like `wait` with a budget of its own. */
  read(requestId: string, offset: number, waiter: Waiter): Promise<RequestView>;
  /** The record as it is, without a network call and without delivering anything. */
  inspect(requestId: string): Promise<RequestView>;
  /** Collects the answer of an unresolved request now. Never generates. */
  recover(requestId: string, waiter: Waiter): Promise<RequestView>;
  cancel(requestId: string, waiter: Waiter): Promise<RequestView>;
  abandon(requestId: string): Promise<RequestView>;
  /** Names the response a caller found upstream for an unknown outcome; checked by a GET before it is believed. */
  attach(requestId: string, responseId: string, waiter: Waiter): Promise<RequestView>;
  /** Brings a person's answer to a request that waits for one; the first one counts. Delivers nothing. */
  answer(requestId: string, text: string): Promise<RequestView>;
  inbox(query: { sessionId?: string | undefined; limit: number }): Promise<InboxView>;
  history(query: { sessionId: string; limit: number; before?: string | undefined }): Promise<HistoryView>;
  requests(query: { states?: readonly RequestState[]; limit: number; before?: string | undefined }): Promise<{
    requests: RequestLine[];
    next_cursor?: string;
  }>;
  journal(requestId: string): Promise<JournalView[]>;
  /** What was used, and with a price file what it cost. */
  usage(query: UsageQuery): Promise<UsageView>;
  sessions(page: { limit: number; after?: string | undefined }): Promise<SessionsView>;
  session(idOrName: string): Promise<SessionView>;
  configureSession(idOrName: string, changes: SessionChanges): Promise<SessionView>;
  deleteSession(idOrName: string): Promise<SessionView>;
  /** A mark of these words: every process on this database makes the same one, and nobody else can make it. */
  seal(words: readonly string[]): string;
  /** Calls back after this or another process may have changed a request. Returns the way to stop. */
  watch(listener: () => void): () => void;
  /** Begins background work: lapsed leases, late answers, retention. Call once the first reply is out. */
  start(): void;
  /**
   * Ends within `graceMs` (default 1,500): commits where every request stands and leaves background responses
   * running upstream. Does not close the store.
   */
  close(graceMs?: number): Promise<void>;
}

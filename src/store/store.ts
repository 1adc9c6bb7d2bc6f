/**
 * The contract every store keeps: each method is one atomic step that returns a Promise. There is no
 * `transaction(fn)`, so SQLite's synchronous and PostgreSQL's asynchronous transactions stay inside.
 *
 * Time decides who may try; version and epoch decide who may write.
 */
import type { Outcome } from "../../machines/evidence.ts";
import type { RequestInput } from "../../machines/request.ts";
import type { RequestState } from "../../machines/states.ts";
import type { EffectiveSettings, Settings } from "../contract/settings.ts";

/** All times are wall clock, milliseconds since 1970; all ids are lower-case UUIDs. */
export interface RequestRecord {
  id: string;
  sessionId: string;
  /** 1 for the first request of a session. */
  turn: number;
  tool: string;
  provider: string;
  /** Fingerprint of the endpoint and key that made it. */
  endpoint: string;
  settings: EffectiveSettings;
  state: RequestState;
  machineVersion: number;
  /** Stored JSON, not yet checked: read it through `rehydrate(machineVersion, snapshot)`. */
  snapshot: unknown;
  version: number;
  epoch: number;
  owner: string | null;
  leaseUntil: number | null;
  responseId: string | null;
  /** Upstream's own usage object; kept when the result is pruned. */
  usage: Record<string, unknown> | null;
  createdAt: number;
  updatedAt: number;
  finishedAt: number | null;
  /** When a result with this answer was first handed to a caller. */
  deliveredAt: number | null;
  prunedAt: number | null;
}

export interface SessionRecord {
  id: string;
  name: string | null;
  provider: string;
  defaults: Settings;
  instructions: string | null;
  lastResponseId: string | null;
  /** When `lastResponseId` was set: young ones may not be readable upstream yet. */
  lastResponseAt: number | null;
  /** Moves with every change of defaults or pointer, so a claim can tell that it read the present one. */
  version: number;
  createdAt: number;
  updatedAt: number;
}

export interface SessionOverview extends SessionRecord {
  /** The live or unresolved request that holds the session, if any. */
  activeRequestId: string | null;
  counts: { requests: number; completed: number; unresolved: number; live: number };
}

/** Keyed digests of the caller's own arguments: one a field, and one over all. */
export interface ArgumentDigests {
  whole: string;
  fields: Record<string, string>;
}

export interface Claim {
  id: string;
  /** Whether the caller named the id; only a call without one may join an equal one. */
  idGiven: boolean;
  tool: string;
  digests: ArgumentDigests;
  session:
    | { kind: "new"; id: string; provider: string; defaults: Settings; instructions: string | null }
    | { kind: "existing"; id: string; version: number };
  provider: string;
  endpoint: string;
  settings: EffectiveSettings;
  machineVersion: number;
  state: RequestState;
  snapshot: unknown;
  /** What the machine was started with: the journal's first payload, so that the journal alone tells the life. */
  input: RequestInput;
  owner: string;
  leaseUntil: number;
  process: string;
  eventId: string;
  at: number;
  /** An equal call counts as the same one until this long after it finished undelivered. */
  joinWindowMs: number;
  /** Stored with the claim; null where nothing of the question is kept. */
  question: Question | null;
  /** Room set aside for the answer until it is there. */
  reserveBytes: number;
  /** Most ms to go on trying while others hold the database; then it is refused, and nothing was written. */
  patienceMs: number;
  limits: { live: number; sessions: number; requests: number; contentBytes: number };
}

export type ClaimOutcome =
  | { kind: "claimed"; record: RequestRecord }
  /** Same id, same arguments. */
  | { kind: "replayed"; record: RequestRecord }
  /** No id was given and an equal call is live, unresolved, or finished and never delivered. */
  | { kind: "joined"; record: RequestRecord }
  /** Same id, other arguments: the fields that differ, `tool` among them. */
  | { kind: "conflict"; fields: string[] }
  | { kind: "blocked"; by: RequestRecord }
  | { kind: "session_unknown" }
  /** The session changed since it was read: read it again and decide again. */
  | { kind: "session_moved" }
  | { kind: "full"; limit: "live" | "sessions" | "requests" | "content"; max: number; holders: string[] };

/** What was asked, kept where upstream keeps no conversation. */
export interface Question {
  message: string;
  /** The words that a person copies; null where no person is asked. */
  prompt: string | null;
}

/** A turn that its session went on from: what was asked and answered, each null once it is no longer kept. */
export interface PastTurn {
  requestId: string;
  message: string | null;
  outcome: Outcome | null;
}

/** Who may write: the owner (version, epoch and owner must hold) · anyone whose read is current · a successor. */
export type Fence =
  | { kind: "owner"; version: number; epoch: number; owner: string }
  | { kind: "version"; version: number }
  /** Moves the epoch; holds only while the lease that was seen is still the lease that is there. */
  | { kind: "successor"; version: number; epoch: number; leaseUntil: number | null };

export type LeaseChange =
  | { kind: "keep" }
  | { kind: "release" }
  | { kind: "take"; owner: string; until: number };

export interface JournalEvent {
  /** Our own id, by which an unknown commit is found again. */
  eventId: string;
  type: string;
  /** The event's payload without any content. */
  payload: Record<string, unknown>;
  at: number;
  process: string;
}

export interface Commit {
  id: string;
  fence: Fence;
  event: JournalEvent;
  state: RequestState;
  machineVersion: number;
  snapshot: unknown;
  lease: LeaseChange;
  /** Set when the response id becomes known. */
  responseId?: string;
  /** The answer, stored with the state that says it is there. */
  result?: Outcome;
  usage?: Record<string, unknown>;
  /** Moves the session's predecessor pointer. */
  advance?: { responseId: string };
}

export type CommitOutcome =
  | { kind: "committed"; record: RequestRecord }
  /** Somebody wrote in between, or the lease is not ours: read again and decide again. */
  | { kind: "stale" }
  /** `responseId` already belongs to another request. */
  | { kind: "response_taken"; by: string };

export interface JournalRow extends JournalEvent {
  seq: number;
  /** 0 for an event; 1, 2, … for notes beside the version `seq`. */
  note: number;
  state: RequestState;
}

/** What the ledger knows of a request; kept when the answer is pruned. */
export interface LedgerRow {
  id: string;
  sessionId: string;
  tool: string;
  provider: string;
  /** As upstream named it, else as it was asked for. */
  model: string;
  serviceTier: string | null;
  usage: Record<string, unknown> | null;
  replays: number;
  /** Whether contact was lost on the way to its answer. */
  recovered: boolean;
  createdAt: number;
}

export interface LedgerQuery {
  /** Created at or after, and before; ms. */
  since?: number;
  until?: number;
  sessionId?: string;
  tool?: string;
  /** Rows after this one, in order of creation. */
  after?: { createdAt: number; id: string };
  limit: number;
}

/** A row beside the version sequence; it never changes a snapshot. At most 200 a request, the oldest stay. */
export type Note = Omit<JournalEvent, "eventId">;

export interface Renewal {
  id: string;
  /** False when fenced: the lease is no longer ours. */
  held: boolean;
  /** The row's version now, so an owner notices what others wrote; null when the row is gone. */
  version: number | null;
}

export interface SessionChange {
  name?: string | null;
  defaults?: Settings;
  /** Names of defaults to clear. */
  unset?: (keyof Settings)[];
  /** null clears them. */
  instructions?: string | null;
}

export type SessionOutcome =
  | { kind: "done"; session: SessionRecord }
  | { kind: "session_unknown" }
  | { kind: "name_taken"; by: string }
  | { kind: "blocked"; by: RequestRecord }
  | { kind: "full"; limit: "content"; max: number; holders: string[] };

export interface RequestQuery {
  states?: readonly RequestState[];
  sessionId?: string;
  /** Only finished requests whose answer nobody was given yet. */
  undelivered?: boolean;
  /** Newest first, by creation; rows created before this cursor `{createdAt, id}`. */
  before?: { createdAt: number; id: string };
  limit: number;
}

export interface RetentionOrder {
  at: number;
  owner: string;
  resultsFinishedBefore: number;
  sessionsIdleBefore: number;
  /** Most rows touched in one call. */
  batch: number;
}

export interface Totals {
  sessions: number;
  requests: number;
  live: number;
  contentBytes: number;
}

/** What makes a call the same call as an earlier one. The claim repeats this check inside its transaction. */
export type Likeness = Pick<Claim, "id" | "idGiven" | "tool" | "digests" | "at" | "joinWindowMs">;

export interface Store {
  /** Key of this database for argument digests; 32 bytes, made when it was created. */
  readonly digestKey: Uint8Array;
  /** Read only: the replay, join or conflict that a claim would meet, or null where it would be a new request. */
  match(call: Likeness): Promise<Extract<ClaimOutcome, { kind: "replayed" | "joined" | "conflict" }> | null>;
  claim(claim: Claim): Promise<ClaimOutcome>;
  commit(commit: Commit): Promise<CommitOutcome>;
  renew(owner: string, held: readonly { id: string; epoch: number }[], until: number): Promise<Renewal[]>;
  note(id: string, note: Note): Promise<void>;
  load(id: string): Promise<RequestRecord | null>;
  /** The answer, or null when there is none or it was pruned. */
  result(id: string): Promise<Outcome | null>;
  /** What was asked, or null where it is not kept. */
  question(id: string): Promise<Question | null>;
  /** The turns that moved a session on (`completed`, `refused`), in order. */
  pastTurns(sessionId: string): Promise<PastTurn[]>;
  /** Oldest first. */
  ledger(query: LedgerQuery): Promise<LedgerRow[]>;
  /** One more time that an answer was given without a call; power loss may undo it. */
  countReplay(id: string): Promise<void>;
  /** Ascending by (seq, note). */
  journal(id: string): Promise<JournalRow[]>;
  requests(query: RequestQuery): Promise<RequestRecord[]>;
  markDelivered(id: string, at: number): Promise<void>;
  /** By id or by name, names without regard to case. */
  session(idOrName: string): Promise<SessionOverview | null>;
  /** By id, ascending. */
  sessions(page: { after: string | null; limit: number }): Promise<SessionOverview[]>;
  configureSession(
    id: string,
    change: SessionChange,
    at: number,
    limits: { contentBytes: number },
  ): Promise<SessionOutcome>;
  /** Takes the session with all its requests, results and journal. */
  deleteSession(id: string): Promise<SessionOutcome>;
  /** Prunes and expires at most `batch` rows, unless another process is at it; returns how many it touched. */
  retain(order: RetentionOrder): Promise<number>;
  totals(): Promise<Totals>;
  /** Calls back when this or another process may have written; a hint, never the truth. Returns the way to stop. */
  watch(listener: () => void): () => void;
  close(): Promise<void>;
}

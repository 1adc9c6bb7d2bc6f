/** Requests as the engine would write them: every snapshot comes out of the machine. */
import { randomUUID } from "node:crypto";
import { begin, decide } from "../../machines/decide.ts";
import type { RequestEvent, Unstamped } from "../../machines/events.ts";
import type { Outcome } from "../../machines/evidence.ts";
import type { RequestInput } from "../../machines/request.ts";
import { isLive, machineVersion, persist, rehydrate, stateOf } from "../../machines/snapshots.ts";
import type { Claim, Commit, CommitOutcome, Fence, RequestRecord, Store } from "../../src/store/store.ts";

export const noon = 1_900_000_000_000;
export const reserveBytes = 1_000;
export const wide = { live: 100, sessions: 1_000, requests: 10_000, contentBytes: 1 << 30 };
export const settings = { model: "test-model", max_output_tokens: 64, timeout_ms: 60_000, background: true };

/** Digests stand for arguments; tests of stores need no keys. */
export function digestsOf(fields: Record<string, string>) {
  return { whole: JSON.stringify(Object.entries(fields).sort()), fields };
}

export function newSession(instructions: string | null = null): Claim["session"] {
  return {
    kind: "new",
    id: randomUUID(),
    provider: "test",
    defaults: { model: "test-model" },
    instructions,
  };
}

export function aClaim(changes: Partial<Claim> = {}): Claim {
  const input: RequestInput = {
    background: true,
    retrievable: true,
    predecessor: null,
    deadlineAt: noon + settings.timeout_ms,
    predecessorRetryUntil: 0,
    maxAttempts: 3,
  };
  const { next } = begin(input);
  const id = changes.id ?? randomUUID();
  return {
    id,
    idGiven: true,
    tool: "chat",
    digests: digestsOf({ message: `digest of ${id}` }),
    session: newSession(),
    provider: "test",
    endpoint: "endpoint-1",
    settings,
    machineVersion,
    state: stateOf(next),
    snapshot: persist(next),
    input,
    owner: "owner-1",
    leaseUntil: noon + 30_000,
    process: "process-1",
    eventId: randomUUID(),
    at: noon,
    joinWindowMs: 600_000,
    question: null,
    reserveBytes,
    patienceMs: 10_000,
    limits: wide,
    ...changes,
  };
}

export function anAnswer(responseId: string, text = "forty-two"): Outcome {
  return {
    responseId,
    model: "test-model-1",
    text,
    refusal: null,
    reason: null,
    usage: { total_tokens: 7 },
    citations: [],
    kinds: ["message"],
    fullChars: text.length,
    truncated: false,
    serviceTier: null,
    echo: { store: true, background: true },
  };
}

export function accepted(responseId = `resp_${randomUUID()}`): Unstamped {
  return {
    type: "upstream.accepted",
    responseId,
    model: "test-model-1",
    sequence: 0,
    echo: { store: true, background: true },
  };
}

export function completed(outcome: Outcome): Unstamped {
  return { type: "upstream.completed", outcome };
}

export const lost: Unstamped = { type: "upstream.lost", cause: "reset" };
export const rejected: Unstamped = {
  type: "upstream.rejected",
  failure: { code: "request_rejected", status: 400 },
};
export const abandoned: Unstamped = { type: "caller.abandoned" };

export function ownerFence({ version, epoch, owner }: RequestRecord): Fence {
  return { kind: "owner", version, epoch, owner: owner ?? "nobody" };
}

export function versionFence({ version }: RequestRecord): Fence {
  return { kind: "version", version };
}

export function successorFence({ version, epoch, leaseUntil }: RequestRecord): Fence {
  return { kind: "successor", version, epoch, leaseUntil };
}

/** The commit of `event` as read from `record`: fenced by its owner, the lease released once nobody works on it. */
export function step(
  record: RequestRecord,
  event: Unstamped,
  changes: Partial<Commit> & { at?: number } = {},
): Commit {
  const { at = record.updatedAt + 1, ...rest } = changes;
  const stamped: RequestEvent = { ...event, at };
  const { next, effects } = decide(rehydrate(record.machineVersion, record.snapshot), stamped);
  const outcome = "outcome" in event ? event.outcome : null;
  const advance = effects.find((effect) => effect.type === "advanceSession");
  const responseId = next.context.upstream?.responseId;
  return {
    id: record.id,
    fence: record.owner === null ? versionFence(record) : ownerFence(record),
    event: { eventId: randomUUID(), type: event.type, payload: {}, at, process: "process-1" },
    state: stateOf(next),
    machineVersion,
    snapshot: persist(next),
    lease: isLive(stateOf(next)) ? { kind: "keep" } : { kind: "release" },
    ...(responseId !== undefined && record.responseId === null && { responseId }),
    ...(outcome && { result: outcome, ...(outcome.usage && { usage: outcome.usage }) }),
    ...(advance && { advance: { responseId: advance.responseId } }),
    ...rest,
  };
}

export async function claimed(store: Store, changes: Partial<Claim> = {}): Promise<RequestRecord> {
  const outcome = await store.claim(aClaim(changes));
  if (outcome.kind !== "claimed") throw new Error(`The claim was not taken: ${outcome.kind}`);
  return outcome.record;
}

export function written(outcome: CommitOutcome): RequestRecord {
  if (outcome.kind !== "committed") throw new Error(`The commit was not taken: ${outcome.kind}`);
  return outcome.record;
}

/** Commits `events` one after another. */
export async function lived(
  store: Store,
  record: RequestRecord,
  ...events: Unstamped[]
): Promise<RequestRecord> {
  let now = record;
  for (const event of events) now = written(await store.commit(step(now, event)));
  return now;
}

/** A request with its answer. */
export async function answered(
  store: Store,
  changes: Partial<Claim> = {},
  text?: string,
): Promise<RequestRecord> {
  const record = await claimed(store, changes);
  const responseId = `resp_${randomUUID()}`;
  return lived(store, record, accepted(responseId), completed(anAnswer(responseId, text)));
}

/**
 * The one door through which a request changes: read, decide, write. Acting on the world comes after, and is
 * the caller's work with the effects that come back.
 */
import { randomUUID } from "node:crypto";
import { decide } from "../../machines/decide.ts";
import type { Effect } from "../../machines/effects.ts";
import { eventAuthority, type RequestEvent, type Unstamped } from "../../machines/events.ts";
import type { Echo, Outcome } from "../../machines/evidence.ts";
import { isLive, machineVersion, persist, type RequestSnapshot, stateOf } from "../../machines/snapshots.ts";
import type { Commit, Fence, LeaseChange, RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { Identity } from "./identity.ts";
import { snapshotOf } from "./snapshot.ts";

export type Sent =
  /** Committed; `effects` are now due. */
  | { kind: "moved"; record: RequestRecord; effects: Effect[] }
  /** The event means nothing in the state the record is in. Nothing was written. */
  | { kind: "ignored"; record: RequestRecord }
  /** Somebody else holds the work; what we saw no longer counts. Nothing was written. */
  | { kind: "fenced"; record: RequestRecord }
  | { kind: "response_taken"; record: RequestRecord; by: string }
  | { kind: "gone" };

export interface Door {
  /** @param known the record as last read, to save reading it again; a stale one is noticed by the commit */
  send(id: string, event: Unstamped, known?: RequestRecord): Promise<Sent>;
}

interface Parts {
  store: Store;
  clock: Clock;
  identity: Identity;
  leaseMs: number;
  /** Whether a person answers this request, so that no process holds it once they have it. */
  isPersons(record: RequestRecord): boolean;
}

export function createDoor(parts: Parts): Door {
  return {
    async send(id, unstamped, known) {
      const event: RequestEvent = { ...unstamped, at: parts.clock.now() };
      let record = known ?? (await parts.store.load(id));
      while (record !== null) {
        const sent = await attempt(parts, record, event);
        if (sent !== "stale") return sent;
        record = await parts.store.load(id);
      }
      return { kind: "gone" };
    },
  };
}

/** One try at `record` as it was read. A stale successor does not try again: what it saw is no longer so. */
async function attempt(
  parts: Parts,
  record: RequestRecord,
  event: RequestEvent,
  idTrusted = true,
): Promise<Sent | "stale"> {
  const fence = fenceFor(record, event, parts.identity);
  if (fence === null) return { kind: "fenced", record };
  const { next, effects, changed } = decide(snapshotOf(record), event);
  if (!changed) return { kind: "ignored", record };
  const { responseId, ...commit } = commitOf(parts, record, event, next, effects, fence);
  const outcome = await parts.store.commit(responseId && idTrusted ? { ...commit, responseId } : commit);
  switch (outcome.kind) {
    case "committed":
      return { kind: "moved", record: outcome.record, effects };
    case "response_taken":
      if (event.type !== "caller.attached") return attempt(parts, record, distrusted(event), false);
      return { kind: "response_taken", record, by: outcome.by };
    case "stale":
      return fence.kind === "successor" ? { kind: "fenced", record } : "stale";
  }
}

/**
 * Upstream gave one id to two responses. What arrives is still this request's answer, but nobody may ever ask
 * for it by that id: without what upstream said of storing it, it does not count as retrievable.
 */
function distrusted(event: RequestEvent): RequestEvent {
  return event.type === "upstream.accepted" ? { ...event, echo: withoutStore(event.echo) } : event;
}

function withoutStore({ previousResponseId }: Echo): Echo {
  return previousResponseId === undefined ? {} : { previousResponseId };
}

/** Null where this process may not write the event. */
function fenceFor(record: RequestRecord, event: RequestEvent, identity: Identity): Fence | null {
  const { version, epoch, leaseUntil } = record;
  const mine = record.owner === identity.owner;
  const owned: Fence = { kind: "owner", version, epoch, owner: identity.owner };
  switch (eventAuthority[event.type]) {
    case "owner":
      return mine ? owned : null;
    case "upstream":
      return mine ? owned : { kind: "version", version };
    case "caller":
      return { kind: "version", version };
    case "successor":
      return { kind: "successor", version, epoch, leaseUntil };
  }
}

function commitOf(
  { clock, identity, leaseMs, isPersons }: Parts,
  record: RequestRecord,
  event: RequestEvent,
  next: RequestSnapshot,
  effects: Effect[],
  fence: Fence,
): Commit {
  const advance = effects.find((effect) => effect.type === "advanceSession");
  const outcome = outcomeOf(event);
  const responseId = next.context.upstream?.responseId;
  return {
    id: record.id,
    fence,
    event: {
      eventId: randomUUID(),
      type: event.type,
      payload: payloadOf(event),
      at: event.at,
      process: identity.process,
    },
    state: stateOf(next),
    machineVersion,
    snapshot: persist(next),
    lease: leaseAfter(event, next, identity.owner, clock.now() + leaseMs, isPersons(record)),
    ...(responseId !== undefined && responseId !== record.responseId && { responseId }),
    ...(outcome && effects.some((effect) => effect.type === "keepResult") && { result: outcome }),
    ...(outcome?.usage && { usage: outcome.usage }),
    ...(advance && { advance: { responseId: advance.responseId } }),
  };
}

function leaseAfter(
  event: RequestEvent,
  next: RequestSnapshot,
  owner: string,
  until: number,
  isPersons: boolean,
): LeaseChange {
  if (!isLive(stateOf(next))) return { kind: "release" };
  if (isPersons && event.type === "upstream.accepted") return { kind: "release" };
  return event.type === "stream.reattached" ? { kind: "take", owner, until } : { kind: "keep" };
}

export function outcomeOf(event: Unstamped): Outcome | null {
  return "outcome" in event ? event.outcome : null;
}

/**
 * What the journal may keep of an event: all that the machine asks of it, and nothing of the answer itself. The
 * way back is `replayJournal`.
 */
export function payloadOf(event: Unstamped): Record<string, unknown> {
  const { type: _type, ...rest } = event;
  const { at: _at, outcome, ...payload } = { at: 0, outcome: outcomeOf(event), ...rest };
  return outcome === null ? payload : { ...payload, ...outcomeFacts(outcome) };
}

function outcomeFacts(outcome: Outcome): Record<string, unknown> {
  const { responseId, model, reason, usage, kinds, fullChars, truncated, echo } = outcome;
  return { responseId, model, reason, usage, kinds, chars: fullChars, truncated, echo };
}

/**
 * Keeping our leases and taking over those of the dead. Time only decides who may try: a lease is taken over
 * after it was seen unchanged for a full term on this process's own monotonic clock, or at once when its owner
 * is provably gone; the store then checks that it is still the lease that was seen.
 */
import { isLive } from "../../machines/snapshots.ts";
import { liveStates } from "../../machines/states.ts";
import { policyKnobs } from "../contract/policy.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { Identity } from "./identity.ts";
import { isReadable, snapshotOf } from "./snapshot.ts";
import type { Act, Streams } from "./streams.ts";
import type { Desk, Job } from "./work.ts";

/** Live requests looked at in one sweep; the live limit keeps real numbers far below. */
const sweepLimit = 1_000;

export interface Leases {
  /** Renews what this process holds and notices what others wrote to it. */
  renew(): Promise<void>;
  /** Reads what others wrote to requests in hand: a wish to cancel, a take-over. */
  notice(): Promise<void>;
  /** Looks at one live request of another owner and takes it over when its owner is gone. */
  observe(record: RequestRecord): Promise<void>;
  /** `observe` for every live request of others. */
  sweep(): Promise<void>;
}

interface Sighting {
  epoch: number;
  leaseUntil: number | null;
  since: number;
  /** How long it must stay unchanged: our term, or what is left of the owner's where that is longer. */
  term: number;
}

interface Parts {
  store: Store;
  streams: Streams;
  act: Act;
  desk: Desk;
  clock: Clock;
  identity: Identity;
  leaseMs: number;
}

export function createLeases(parts: Parts): Leases {
  const { store, streams, act, desk, clock, identity, leaseMs } = parts;
  const sightings = new Map<string, Sighting>();

  async function renew() {
    const held = [...desk.jobs.values()].map(({ id, epoch }) => ({ id, epoch }));
    if (held.length === 0) return;
    const renewals = await store.renew(identity.owner, held, clock.now() + leaseMs);
    for (const { id, held: still } of renewals) {
      const job = desk.jobs.get(id);
      if (job && !still) await fence(job);
    }
    await notice();
  }

  async function notice() {
    for (const job of [...desk.jobs.values()]) {
      const record = await store.load(job.id);
      if (record === null || record.owner !== identity.owner || record.epoch !== job.epoch) await fence(job);
      else await heed(job, record);
    }
  }

  /** Not ours any more. A call that upstream has not answered yet is let finish: its answer is evidence. */
  async function fence(job: Job) {
    desk.jobs.delete(job.id);
    if (job.accepted) await streams.end(job, "fenced", 0);
    else job.wake?.abort();
  }

  /** A wish that another process wrote down: ours to carry out where only the owner can. */
  async function heed(job: Job, record: RequestRecord) {
    job.record = record;
    const { cancel, upstream } = snapshotOf(record).context;
    if (cancel?.asking === "asked" && upstream && !upstream.background) await streams.end(job, "cancel", 0);
  }

  async function observe(record: RequestRecord) {
    // Our own request is in good hands, unless its stream ended here without a word (a commit that failed).
    if (!isLive(record.state) || record.owner === null || desk.jobs.has(record.id)) return;
    if (!identity.isGone(record.owner) && !seenForATerm(record)) return;
    sightings.delete(record.id);
    await act(record.id, { type: "lease.expired" }, record);
  }

  function seenForATerm(record: RequestRecord): boolean {
    const { id, epoch, leaseUntil } = record;
    const seen = sightings.get(id);
    if (seen?.epoch === epoch && seen.leaseUntil === leaseUntil)
      return clock.monotonic() - seen.since >= seen.term;
    const left = Math.min((leaseUntil ?? 0) - clock.now(), policyKnobs.leaseMs.max);
    sightings.set(id, { epoch, leaseUntil, since: clock.monotonic(), term: Math.max(leaseMs, left) });
    return false;
  }

  async function sweep() {
    const live = await store.requests({ states: liveStates, limit: sweepLimit });
    forgetOthers(live);
    for (const record of live.filter(isReadable)) await observe(record);
  }

  function forgetOthers(live: readonly RequestRecord[]) {
    const ids = new Set(live.map(({ id }) => id));
    for (const id of sightings.keys()) if (!ids.has(id)) sightings.delete(id);
  }

  return { renew, notice, observe, sweep };
}

/** What goes on by itself while a process lives: leases are kept, the dead are noticed, old things are pruned. */
import { dayMs, type Policy } from "../contract/policy.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { Collector } from "./collector.ts";
import type { Identity } from "./identity.ts";
import type { Leases } from "./leases.ts";
import { isReadable } from "./snapshot.ts";
import type { Desk } from "./work.ts";

const retentionEveryMs = 600_000;
const retentionBatch = 50;
/** How soon a wish that another process wrote down reaches the owner. */
const noticeMs = 500;
/** Hosts start probes and kill them; nothing is pruned by a process that did not live this long. */
const retentionDelayMs = 5_000;

interface Parts {
  store: Store;
  leases: Leases;
  collector: Collector;
  desk: Desk;
  clock: Clock;
  identity: Identity;
  policy: Policy;
}

export interface Background {
  /** Keeps the leases of what is in hand; runs from the engine's first breath. */
  keepLeases(): void;
  /** Watches over others' leases and retention; begins when the host has its first reply. */
  lookAfterOthers(): void;
  stop(): void;
}

export function createBackground({
  store,
  leases,
  collector,
  desk,
  clock,
  identity,
  policy,
}: Parts): Background {
  const stops: (() => void)[] = [];
  const collectHorizonMs = policy.collectHours * 3_600_000;
  const heartbeatMs = Math.max(100, Math.floor(policy.leaseMs / 3));
  const started = clock.monotonic();

  /** One at a time: a slow round is not overtaken by the next. */
  function single(work: () => Promise<void>): () => void {
    let busy = false;
    return () => {
      if (busy) return;
      busy = true;
      desk.track(
        work().finally(() => {
          busy = false;
        }),
      );
    };
  }

  /** Takes over from the dead, and collects what they or an ended process left to be collected. */
  async function lookAround() {
    await leases.sweep();
    const lost = await store.requests({ states: ["recovery_required"], limit: 100 });
    const young = (record: RequestRecord) => clock.now() - record.createdAt < collectHorizonMs;
    for (const record of lost.filter(isReadable).filter(young)) collector.ensure(record);
  }

  async function retain() {
    if (clock.monotonic() - started < retentionDelayMs) return;
    const at = clock.now();
    const order = {
      at,
      owner: identity.owner,
      resultsFinishedBefore: at - policy.resultDays * dayMs,
      sessionsIdleBefore: at - policy.sessionIdleDays * dayMs,
      batch: retentionBatch,
    };
    while ((await store.retain(order)) >= retentionBatch) await clock.sleep(50);
  }

  return {
    keepLeases() {
      stops.push(clock.every(heartbeatMs, single(leases.renew)));
      const notice = single(leases.notice);
      stops.push(clock.every(noticeMs, () => desk.jobs.size > 0 && notice()));
    },
    lookAfterOthers() {
      const sweep = single(lookAround);
      sweep();
      stops.push(clock.every(heartbeatMs, sweep));
      stops.push(clock.every(retentionDelayMs + 1_000, onceThenSeldom(single(retain))));
    },
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };

  function onceThenSeldom(work: () => void): () => void {
    let due = 0;
    return () => {
      if (clock.monotonic() < due) return;
      due = clock.monotonic() + retentionEveryMs;
      work();
    };
  }
}

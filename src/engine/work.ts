/** What this process has in hand: calls not yet accepted, open streams, and leases to renew. Memory only. */
import type { Outcome } from "../../machines/evidence.ts";
import type { Carry, PaidCall } from "../providers/provider.ts";
import type { RequestRecord } from "../store/store.ts";

/** Why we closed a stream ourselves; null while we have not. */
export type Ending = "cancel" | "deadline" | "shutdown" | "fenced";

export interface Job {
  readonly id: string;
  readonly epoch: number;
  /** The record as this process last wrote or read it. */
  record: RequestRecord;
  /** Only the claimer has it, and only until upstream answered: without it nothing can be sent again. */
  call: PaidCall | null;
  /** Aborts the open stream; null while none is open. */
  stream: AbortController | null;
  ending: Ending | null;
  background: boolean;
  accepted: boolean;
  /** Reports since upstream accepted: a background response must not be left before its second event. */
  reportsSince: number;
  chars: number;
  /** Attempts that provably did not start. */
  tries: number;
  /** Wakes a deferred attempt, so a cancel or shutdown is seen at once. */
  wake: AbortController | null;
}

/** What outlives a lost stream: enough to go on reading without a gap, and to keep partial text. */
export interface Remains {
  carry: Carry | null;
  partial: Outcome | null;
}

export interface Desk {
  jobs: Map<string, Job>;
  remains: Map<string, Remains>;
  /** Calls back whenever a job moved here: sooner than the store tells, and after the desk knows of it. */
  watch(listener: () => void): () => void;
  announce(): void;
  /** Runs `work` to its end in the background; its failure is reported, never lost. */
  track(work: Promise<unknown>): void;
  /** Resolves when nothing tracked is running. */
  idle(): Promise<void>;
}

export function createDesk(onFailure: (error: unknown) => void): Desk {
  const running = new Set<Promise<unknown>>();
  const listeners = new Set<() => void>();
  return {
    jobs: new Map(),
    remains: new Map(),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce() {
      for (const listener of [...listeners]) listener();
    },
    track(work) {
      const tracked = work.catch(onFailure).finally(() => running.delete(tracked));
      running.add(tracked);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** A job on a record whose lease is ours. */
export function newJob(record: RequestRecord, call: PaidCall | null): Job {
  return {
    id: record.id,
    epoch: record.epoch,
    record,
    call,
    stream: null,
    ending: null,
    background: false,
    accepted: call === null,
    reportsSince: 0,
    chars: 0,
    tries: 0,
    wake: null,
  };
}

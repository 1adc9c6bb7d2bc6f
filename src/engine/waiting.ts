/** Waiting for a request without holding it: the wait ends, the work does not. */
import { isFinal, isLive } from "../../machines/snapshots.ts";
import type { Provider } from "../providers/provider.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { type Collector, providerOf } from "./collector.ts";
import type { Waiter } from "./engine.ts";
import type { Leases } from "./leases.ts";
import type { Desk } from "./work.ts";

/** Hosts reset their own time-outs by progress; 5 s keeps well inside the shortest seen. */
const progressMs = 5_000;
/** Even without a hint from the store, this often the record is read again. */
const lookAgainMs = 1_000;

interface Parts {
  store: Store;
  providers: ReadonlyMap<string, Provider>;
  collector: Collector;
  leases: Leases;
  desk: Desk;
  clock: Clock;
}

/** Resolves with the record as it is when it needs no more waiting, or when the budget or the caller ends the wait. */
export type Wait = (record: RequestRecord, waiter: Waiter) => Promise<RequestRecord>;

export function createWait(parts: Parts): Wait {
  const { store, collector, leases, desk, clock } = parts;

  return async function wait(first, waiter) {
    const started = clock.monotonic();
    const elapsed = () => clock.monotonic() - started;
    const pulse = createPulse([store, desk], waiter.signal);
    const present = collector.waitedFor(first.id);
    let record = first;
    let nextProgress = 0;
    try {
      while (!isOver(parts.providers, record) && !isHandedOver(record, waiter)) {
        await nudge(record);
        if (elapsed() >= nextProgress) {
          report(waiter, record, elapsed());
          nextProgress = elapsed() + progressMs;
        }
        const left = waiter.budgetMs - elapsed();
        if (left <= 0 || waiter.signal?.aborted) break;
        await pulse.within(clock, Math.min(left, nextProgress - elapsed(), lookAgainMs));
        // What is in hand here only we write, but for wishes; reading it again at every beat would be waste.
        record = desk.jobs.get(record.id)?.record ?? (await store.load(record.id)) ?? record;
      }
      return record;
    } finally {
      present.done();
      pulse.stop();
    }
  };

  /** Lets a dead owner's work be taken over, and what can be collected be collected. */
  async function nudge(record: RequestRecord) {
    await leases.observe(record);
    collector.ensure(record);
  }

  function report(waiter: Waiter, record: RequestRecord, elapsedMs: number) {
    const chars = desk.jobs.get(record.id)?.chars ?? null;
    waiter.onProgress?.({ state: record.state, chars, elapsedMs });
  }
}

/** Live without an owner: a person has it. */
function isHandedOver({ state, owner }: RequestRecord, { untilHandedOver }: Waiter): boolean {
  return untilHandedOver === true && isLive(state) && owner === null;
}

/** Nothing that happens here on its own will change it any more. */
function isOver(providers: ReadonlyMap<string, Provider>, record: RequestRecord): boolean {
  if (isFinal(record.state) || record.state === "unknown_outcome") return true;
  return record.state === "recovery_required" && providerOf(providers, record) === null;
}

/** Turns hints and the caller's signal into something one can wait for. */
export function createPulse(sources: readonly Pick<Store, "watch">[], signal?: AbortSignal) {
  let beat = new AbortController();
  // With a reason of our own: making the default one, an exception with its stack, costs more than the beat.
  const strike = () => beat.abort("beat");
  const unwatch = sources.map((source) => source.watch(strike));
  signal?.addEventListener("abort", strike);
  return {
    async within(clock: Clock, ms: number) {
      if (!signal?.aborted) await clock.sleep(ms, beat.signal);
      beat = new AbortController();
    },
    stop() {
      for (const stop of unwatch) stop();
      signal?.removeEventListener("abort", strike);
    },
  };
}

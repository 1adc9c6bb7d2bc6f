/**
 * Collecting an answer that exists or is being made upstream. It never generates and never costs: re-attach to
 * the stream while upstream still replays it and the deadline allows, otherwise ask, wait, ask again.
 */
import type { Unstamped } from "../../machines/events.ts";
import type { Outcome } from "../../machines/evidence.ts";
import type { RequestSnapshot } from "../../machines/snapshots.ts";
import type { Policy } from "../contract/policy.ts";
import type { Provider, Retrieval } from "../providers/provider.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { Identity } from "./identity.ts";
import { snapshotOf } from "./snapshot.ts";
import type { Act, Streams } from "./streams.ts";
import type { Desk } from "./work.ts";

/** Upstream replays a stream for five minutes (openai-python#2828); half a minute is left for the journey. */
const replayWindowMs = 270_000;
/** Resumes in a row that brought nothing new before polling takes over. */
const vainResumes = 3;
/** A stream that is cut again and again is worth this many resumes, this far apart; then it is asked for. */
const mostResumes = 40;
const resumePauseMs = 250;
const firstPauseMs = 250;
const longestPauseMs = 15_000;
/** The same while somebody waits for the answer. */
const longestWaitedPauseMs = 2_000;
const longestRetryAfterMs = 60_000;

/** An abandoned request's answer is not wanted, but what it cost is worth a note. */
const collectable: ReadonlySet<string> = new Set(["recovery_required", "abandoned"]);

export interface Collector {
  /** Starts collecting unless it is under way or cannot be done here. */
  ensure(record: RequestRecord): void;
  /** Asks again now instead of after the pause. */
  hurry(id: string): void;
  isCollecting(id: string): boolean;
  /** Somebody waits for this request: shorter pauses until `done` is called. */
  waitedFor(id: string): { done(): void };
  stop(): void;
}

/** One collection under way. */
interface Run {
  lifetime: AbortController;
  pause: AbortController;
  /** Resumes in a row that brought nothing new. */
  vain: number;
  resumes: number;
  asked: number;
  /** Upstream has said its last word. */
  done: boolean;
  lastFault: string | null;
}

interface Parts {
  store: Store;
  providers: ReadonlyMap<string, Provider>;
  streams: Streams;
  act: Act;
  desk: Desk;
  clock: Clock;
  identity: Identity;
  policy: Policy;
}

export function createCollector(parts: Parts): Collector {
  const { store, streams, act, desk, clock, identity, policy } = parts;
  const running = new Map<string, Run>();
  const waiters = new Map<string, number>();
  let stopped = false;

  function ensure(record: RequestRecord) {
    if (running.has(record.id) || stopped || !collectable.has(record.state)) return;
    if (providerOf(parts.providers, record) === null) return;
    const run: Run = {
      lifetime: new AbortController(),
      pause: new AbortController(),
      vain: 0,
      resumes: 0,
      asked: 0,
      done: false,
      lastFault: null,
    };
    running.set(record.id, run);
    desk.track(collect(record.id, run).finally(() => running.delete(record.id)));
  }

  async function collect(id: string, run: Run) {
    for (;;) {
      const record = await store.load(id);
      const provider = record && providerOf(parts.providers, record);
      if (!record || !provider || !worthCollecting(record)) return;
      const snapshot = snapshotOf(record);
      const responseId = snapshot.context.upstream?.responseId;
      if (responseId === undefined || run.done || !mayBeAskedFor(record, snapshot)) return;
      const attach =
        run.vain < vainResumes && run.resumes < mostResumes && mayReattach(record, snapshot, clock.now());
      await (attach ? resume(run, record, provider, responseId) : ask(run, record, provider, responseId));
    }
  }

  /** Goes on with the live stream; what brings nothing new a few times over is given up for asking. */
  async function resume(run: Run, record: RequestRecord, provider: Provider, responseId: string) {
    const carry = desk.remains.get(record.id)?.carry ?? null;
    if (run.resumes > 0) await clock.sleep(resumePauseMs, run.lifetime.signal);
    run.resumes += 1;
    const attached = await streams.reattach(record, provider, responseId, carry);
    const progressed = desk.remains.get(record.id)?.carry?.after !== carry?.after;
    run.vain = !attached ? vainResumes : progressed ? 0 : run.vain + 1;
  }

  async function ask(run: Run, record: RequestRecord, provider: Provider, responseId: string) {
    const retrieval = await provider.retrieve(responseId, run.lifetime.signal);
    if (stopped) return;
    run.lastFault = await noteFault(record, retrieval, run.lastFault);
    const sent = await act(
      record.id,
      eventOf(withPartial(retrieval, desk.remains.get(record.id)?.partial)),
      record,
    );
    if (sent.kind === "gone" || !collectable.has(sent.record.state) || "outcome" in retrieval) {
      run.done = true;
      return;
    }
    await clock.sleep(pauseAfter(run.asked, retrieval, waiters.has(record.id)), run.pause.signal);
    run.pause = new AbortController();
    run.asked += 1;
  }

  /** Still recoverable, and either somebody waits or it is young enough to be collected unasked. */
  function worthCollecting(record: RequestRecord) {
    const young = clock.now() - record.createdAt < policy.collectHours * 3_600_000;
    return !stopped && collectable.has(record.state) && (young || waiters.has(record.id));
  }

  /** A failed retrieval is worth a note, the same failure again is not. */
  async function noteFault(record: RequestRecord, retrieval: Retrieval, last: string | null) {
    if (retrieval.type !== "retrieval.faulted") return null;
    const fault = `${retrieval.failure.code}/${retrieval.failure.status ?? retrieval.failure.cause ?? ""}`;
    if (fault !== last) {
      await store.note(record.id, {
        type: retrieval.type,
        payload: { ...retrieval.failure },
        at: clock.now(),
        process: identity.process,
      });
    }
    return fault;
  }

  return {
    ensure,
    hurry: (id) => running.get(id)?.pause.abort(),
    isCollecting: (id) => running.has(id),
    waitedFor(id) {
      waiters.set(id, (waiters.get(id) ?? 0) + 1);
      return {
        done() {
          const left = (waiters.get(id) ?? 1) - 1;
          if (left > 0) waiters.set(id, left);
          else waiters.delete(id);
        },
      };
    },
    stop() {
      stopped = true;
      for (const { lifetime, pause } of running.values()) {
        lifetime.abort();
        pause.abort();
      }
    },
  };
}

/** The provider that can be asked for this response, or null: another endpoint or key cannot. */
export function providerOf(providers: ReadonlyMap<string, Provider>, record: RequestRecord): Provider | null {
  const provider = providers.get(record.provider);
  return provider?.fingerprint === record.endpoint ? provider : null;
}

/** An abandoned request is only asked about where the id is surely its own. */
function mayBeAskedFor(record: RequestRecord, { context }: RequestSnapshot): boolean {
  return record.state !== "abandoned" || context.upstream?.retrievable === true;
}

function mayReattach(record: RequestRecord, { context }: RequestSnapshot, now: number): boolean {
  return (
    record.state === "recovery_required" &&
    context.upstream?.background === true &&
    context.cancel === null &&
    context.lostTo !== "deadline" &&
    now < context.deadlineAt &&
    now - record.createdAt < replayWindowMs
  );
}

export function eventOf(retrieval: Retrieval): Unstamped {
  switch (retrieval.type) {
    case "retrieval.pending":
      return { type: retrieval.type, status: retrieval.status };
    case "retrieval.faulted":
      return { type: retrieval.type, failure: retrieval.failure };
    default:
      return retrieval;
  }
}

/** A cancelled response may come back empty; what had already arrived here is kept. */
export function withPartial(retrieval: Retrieval, partial: Outcome | null | undefined): Retrieval {
  if (retrieval.type !== "upstream.cancelled" || !partial) return retrieval;
  if (retrieval.outcome.text.length >= partial.text.length) return retrieval;
  const { text, fullChars, truncated } = partial;
  return { ...retrieval, outcome: { ...retrieval.outcome, text, fullChars, truncated } };
}

function pauseAfter(asked: number, retrieval: Retrieval, waited: boolean): number {
  const longest = waited ? longestWaitedPauseMs : longestPauseMs;
  const backoff = Math.min(firstPauseMs * 2 ** asked, longest);
  const told = retrieval.type === "retrieval.faulted" ? (retrieval.retryAfterMs ?? 0) : 0;
  return Math.max(backoff, Math.min(told, longestRetryAfterMs));
}

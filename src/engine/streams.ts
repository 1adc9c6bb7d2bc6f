/** Following a stream to its end: every report becomes an event at the door before the next one is read. */
import type { Unstamped } from "../../machines/events.ts";
import type { Failure, Outcome } from "../../machines/evidence.ts";
import { isLive } from "../../machines/snapshots.ts";
import type { Carry, ClosingReport, PaidCall, Provider, StreamReport } from "../providers/provider.ts";
import type { RequestRecord } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { Sent } from "./door.ts";
import type { Log } from "./log.ts";
import { snapshotOf } from "./snapshot.ts";
import { type Desk, type Ending, type Job, newJob } from "./work.ts";

/** Sends an event through the door and performs what follows. */
export type Act = (id: string, event: Unstamped, known?: RequestRecord) => Promise<Sent>;

export interface Streams {
  /** Makes the paid call for a job and follows it to its end. */
  send(record: RequestRecord, provider: Provider, job: Job, call: PaidCall): Promise<void>;
  /** Re-attaches to a background response. True when the stream was really live again, however it ended. */
  reattach(
    record: RequestRecord,
    provider: Provider,
    responseId: string,
    carry: Carry | null,
  ): Promise<boolean>;
  /** Closes a job's stream for a reason of our own. */
  end(job: Job, why: Ending, graceMs: number): Promise<void>;
}

/** How long a background stream that must be left early is held for its second event; upstream loses it otherwise. */
export const secondEventMs = 1_500;
const longestBackoffMs = 5_000;
const leastRateLimitMs = 100;

export function createStreams(parts: { act: Act; desk: Desk; clock: Clock; log: Log }): Streams {
  const { act, desk, clock, log } = parts;

  async function send(record: RequestRecord, provider: Provider, job: Job, call: PaidCall) {
    await underDeadline(record, job, (signal) => follow(job, record, provider.send(call, signal)));
  }

  async function reattach(
    record: RequestRecord,
    provider: Provider,
    responseId: string,
    carry: Carry | null,
  ) {
    const job = newJob({ ...record, epoch: record.epoch + 1 }, null);
    job.background = true;
    let attached = false;
    await underDeadline(record, job, async (signal) => {
      attached = await followAttached(job, record, provider.resume(responseId, carry, signal));
    });
    return attached;
  }

  /** The deadline ends the stream, not the answer. */
  async function underDeadline(
    record: RequestRecord,
    job: Job,
    work: (signal: AbortSignal) => Promise<void>,
  ) {
    const stream = new AbortController();
    const settled = new AbortController();
    job.stream = stream;
    const { deadlineAt } = snapshotOf(record).context;
    desk.track(
      clock
        .sleep(deadlineAt - clock.now(), settled.signal)
        .then(() => (settled.signal.aborted ? undefined : end(job, "deadline", secondEventMs))),
    );
    try {
      await work(stream.signal);
    } catch (error) {
      desk.jobs.delete(job.id); // The lease lapses, and whoever sees it lapse takes over.
      throw error;
    } finally {
      settled.abort("settled");
      job.stream = null;
      if (job.ending !== null && desk.jobs.get(job.id) === job) desk.jobs.delete(job.id);
    }
  }

  async function follow(job: Job, record: RequestRecord, reports: AsyncIterable<StreamReport>) {
    let known = record;
    for await (const report of surely(reports, log)) {
      const event = toEvent(job, report);
      if (event === null) continue;
      const sent = await act(job.id, event, known);
      if (sent.kind === "gone" || sent.kind === "fenced") return quit(job);
      known = sent.record;
    }
    await closeWhatIsOpen(known);
  }

  /** A stream that ended without a word the machine understands has lost contact; it must not be held for ever. */
  async function closeWhatIsOpen(record: RequestRecord) {
    if (!isLive(record.state) || record.owner === null) return;
    const { value } = snapshotOf(record);
    const deferred = typeof value === "object" && value.claimed === "deferred";
    if (!deferred) await act(record.id, { type: "upstream.lost", cause: "malformed" }, record);
  }

  async function followAttached(job: Job, record: RequestRecord, reports: AsyncIterable<StreamReport>) {
    let known: RequestRecord | null = null;
    for await (const report of surely(reports, log)) {
      if (report.type === "attached") {
        const sent = await act(job.id, { type: "stream.reattached" }, record);
        if (sent.kind !== "moved") {
          quit(job);
          return true;
        }
        known = sent.record;
        job.record = sent.record;
        desk.jobs.set(job.id, job);
        continue;
      }
      const event = known === null && report.type === "upstream.lost" ? null : toEvent(job, report);
      if (event === null) continue;
      const sent = await act(job.id, event, known ?? record);
      if (sent.kind === "gone" || sent.kind === "fenced") {
        quit(job);
        return true;
      }
      known = sent.record;
    }
    if (known !== null) await closeWhatIsOpen(known);
    return known !== null;
  }

  /** Null for what is never stored: progress, or an end that somebody else already wrote down. */
  function toEvent(job: Job, report: StreamReport): Unstamped | null {
    switch (report.type) {
      case "attached":
        return null;
      case "progress":
        job.reportsSince += 1;
        job.chars = report.chars;
        return null;
      case "upstream.accepted":
        job.accepted = true;
        job.call = null;
        job.background = report.echo.background === true;
        return report;
      default:
        return closing(job, report);
    }
  }

  function closing(job: Job, report: ClosingReport): Unstamped | null {
    switch (report.type) {
      case "upstream.unstarted": {
        const { retryAfterMs, ...event } = report;
        job.tries += 1;
        return {
          ...event,
          retryAt:
            retryAfterMs === null ? null : clock.now() + retryDelay(report.failure, retryAfterMs, job.tries),
        };
      }
      case "upstream.lost": {
        const { partial, carry, ...event } = report;
        desk.remains.set(job.id, { partial, carry });
        return event;
      }
      case "handed_over":
        return null;
      case "aborted":
        desk.remains.set(job.id, { partial: report.partial, carry: report.carry });
        return endedByUs(job, report.partial);
      default:
        return report;
    }
  }

  function endedByUs(job: Job, partial: Outcome | null): Unstamped | null {
    switch (job.ending) {
      case "cancel":
        return partial === null
          ? { type: "upstream.lost", cause: "shutdown" }
          : { type: "stream.stopped", outcome: partial };
      case "deadline":
        return { type: "deadline.passed" };
      case "shutdown":
      case null:
        return { type: "upstream.lost", cause: "shutdown" };
      case "fenced":
        return null;
    }
  }

  /** Somebody else holds the work now: stop reading, write nothing more. */
  function quit(job: Job) {
    job.ending ??= "fenced";
    job.stream?.abort();
  }

  async function end(job: Job, why: Ending, graceMs: number) {
    if (job.ending !== null) return;
    job.ending = why;
    await heldForSecondEvent(job, graceMs);
    job.wake?.abort();
    job.stream?.abort();
  }

  async function heldForSecondEvent(job: Job, graceMs: number) {
    const until = clock.monotonic() + graceMs;
    const young = () => job.stream !== null && (!job.accepted || (job.background && job.reportsSince === 0));
    while (young() && clock.monotonic() < until) await clock.sleep(Math.min(20, graceMs));
  }

  return { send, reattach, end };
}

/** A provider never throws for what upstream does; should one throw all the same, contact is lost, not the request. */
async function* surely(reports: AsyncIterable<StreamReport>, log: Log): AsyncIterable<StreamReport> {
  try {
    yield* reports;
  } catch (error) {
    log.failure("provider threw", error);
    yield { type: "upstream.lost", cause: "malformed", partial: null, carry: null };
  }
}

/** A rate limit says when, but not to hammer at it; anything else backs off, doubling to five seconds. */
function retryDelay(failure: Failure, ms: number, tries: number): number {
  const backoff = (firstMs: number) => Math.min(firstMs * 2 ** (tries - 1), longestBackoffMs);
  return failure.code === "rate_limited" ? Math.max(ms, backoff(leastRateLimitMs)) : backoff(ms);
}

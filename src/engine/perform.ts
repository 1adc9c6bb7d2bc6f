/** What is done about a committed step. Exhaustive: an effect without a performer does not compile. */
import type { Effect } from "../../machines/effects.ts";
import type { Provider, Retrieval } from "../providers/provider.ts";
import type { RequestRecord } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { type Collector, eventOf, providerOf, withPartial } from "./collector.ts";
import type { Identity } from "./identity.ts";
import type { Act, Streams } from "./streams.ts";
import type { Desk } from "./work.ts";

interface Parts {
  providers: ReadonlyMap<string, Provider>;
  streams: Streams;
  collector: Collector;
  act: Act;
  desk: Desk;
  clock: Clock;
  identity: Identity;
}

/** Sets the effects of one commit going; none is awaited here, all are tracked. */
export function createPerformer(parts: Parts): (record: RequestRecord, effects: readonly Effect[]) => void {
  const { providers, streams, collector, act, desk, clock, identity } = parts;

  function perform(record: RequestRecord, effect: Effect): void {
    switch (effect.type) {
      case "openStream":
        openStream(record);
        break;
      case "awaitRetry":
        desk.track(awaitRetry(record, effect.until));
        break;
      case "recover":
        collector.ensure(record);
        break;
      case "cancelUpstream":
        desk.track(cancelUpstream(record, effect.responseId));
        break;
      case "stopStream":
        stop(record);
        break;
      case "keepResult":
      case "advanceSession":
        break; // Part of the commit itself.
      default:
        effect satisfies never;
    }
  }

  /** The paid call. Only the claimer has what to send, so nobody else can ever make it. */
  function openStream(record: RequestRecord) {
    const job = desk.jobs.get(record.id);
    const provider = providerOf(providers, record);
    if (!job?.call || !provider) return;
    desk.track(streams.send(record, provider, job, job.call));
  }

  async function awaitRetry(record: RequestRecord, until: number) {
    const job = desk.jobs.get(record.id);
    if (!job) return;
    job.wake = new AbortController();
    await clock.sleep(until - clock.now(), job.wake.signal);
    job.wake = null;
    if (job.ending === null) await act(record.id, { type: "retry.due" });
  }

  async function cancelUpstream(record: RequestRecord, responseId: string) {
    const provider = providerOf(providers, record);
    if (provider === null) return;
    const reply = await provider.cancel(responseId, new AbortController().signal);
    await believe(record, reply);
  }

  async function believe(record: RequestRecord, reply: Retrieval) {
    const job = desk.jobs.get(record.id);
    switch (reply.type) {
      case "retrieval.pending":
        return;
      case "retrieval.missing":
        await act(record.id, { type: "cancel.faulted", failure: { code: "response_missing", status: 404 } });
        return;
      case "retrieval.faulted":
        await act(record.id, { type: "cancel.faulted", failure: reply.failure });
        return;
      case "upstream.cancelled":
        if (job?.stream) return stopStream(record.id);
        if (ownedElsewhere(record)) return; // Its owner holds the partial text and sees the stream end.
        break;
      default:
        break;
    }
    await act(record.id, eventOf(withPartial(reply, desk.remains.get(record.id)?.partial)));
  }

  const ownedElsewhere = (record: RequestRecord) => record.owner !== null && record.owner !== identity.owner;

  /** What a person has can be taken back at once; what upstream has is stopped where its stream is read. */
  function stop(record: RequestRecord) {
    const person = providerOf(providers, record)?.person;
    if (person === undefined) return stopStream(record.id);
    const outcome = { ...person.answerOf(record.responseId ?? record.id, ""), reason: "cancelled" };
    desk.track(act(record.id, { type: "upstream.cancelled", outcome }));
  }

  function stopStream(id: string) {
    const job = desk.jobs.get(id);
    if (job) desk.track(streams.end(job, "cancel", 0));
  }

  return (record, effects) => {
    for (const effect of effects) perform(record, effect);
  };
}

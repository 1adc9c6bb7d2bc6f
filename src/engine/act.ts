/** Sends an event through the door, keeps this process's desk tidy, and sets going what follows. */
import type { Effect } from "../../machines/effects.ts";
import type { Unstamped } from "../../machines/events.ts";
import { isFinal, isLive } from "../../machines/snapshots.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { type Door, outcomeOf } from "./door.ts";
import type { Identity } from "./identity.ts";
import type { Act } from "./streams.ts";
import type { Desk } from "./work.ts";

interface Parts {
  door: Door;
  store: Store;
  desk: Desk;
  clock: Clock;
  identity: Identity;
  /** Late-bound: performing sends events, and events are performed. */
  perform(record: RequestRecord, effects: readonly Effect[]): void;
}

export function createAct({ door, store, desk, clock, identity, perform }: Parts): Act {
  return async function act(id, event, known) {
    const sent = await door.send(id, event, known);
    if (sent.kind === "moved") {
      tidy(sent.record);
      perform(sent.record, sent.effects);
      desk.announce();
    }
    if (sent.kind === "ignored" && sent.record.state === "abandoned")
      await noteLateAnswer(sent.record, event);
    return sent;
  };

  function tidy(record: RequestRecord) {
    const job = desk.jobs.get(record.id);
    if (job) job.record = record;
    // A person has it: no process does, and none renews a lease on it.
    if (!isLive(record.state) || record.owner === null) {
      job?.wake?.abort();
      desk.jobs.delete(record.id);
    }
    if (isFinal(record.state)) desk.remains.delete(record.id);
  }

  /** The request stays abandoned; that it was billed all the same is worth knowing. */
  async function noteLateAnswer(record: RequestRecord, event: Unstamped) {
    const outcome = outcomeOf(event);
    if (outcome === null) return;
    await store.note(record.id, {
      type: event.type,
      payload: { late: true, responseId: outcome.responseId, usage: outcome.usage },
      at: clock.now(),
      process: identity.process,
    });
  }
}

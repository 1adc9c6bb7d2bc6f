/** The engine's door over real SQLite, with a clock that shows what an event says and a request wherever it is needed. */
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import type { RequestEvent, Unstamped } from "../../../machines/events.ts";
import { isLive, persist, type RequestSnapshot, stateOf } from "../../../machines/snapshots.ts";
import { createDoor, type Sent } from "../../../src/engine/door.ts";
import type { Identity } from "../../../src/engine/identity.ts";
import { openSqliteStore } from "../../../src/store/sqlite/open.ts";
import type { RequestRecord, Store } from "../../../src/store/store.ts";
import { aClaim, versionFence, written } from "../../store/life.ts";
import { createHandClock, type HandClock } from "../world/hand-clock.ts";

export const identityOf = (owner: string): Identity => ({ owner, process: owner, isGone: () => false });
export const owner = identityOf("the-owner");
export const stranger = identityOf("a-stranger");

const limits = { live: 1e6, sessions: 1e6, requests: 1e6, contentBytes: 1e12 };

export interface Place {
  store: Store;
  file: string;
  clock: HandClock;
  /** A request that stands at `snapshot`, owned by the owner where it is live. Ids of responses are its own. */
  put(snapshot: RequestSnapshot): Promise<RequestRecord>;
  /** Sends `event` at the time that it bears. */
  send(id: string, event: RequestEvent, as?: Identity): Promise<Sent>;
  close(): Promise<void>;
}

export async function openPlace(directory: string): Promise<Place> {
  const file = `${directory}/claimcheck.db`;
  const store = await openSqliteStore({ file });
  const clock = createHandClock(0);
  const doorOf = (identity: Identity) =>
    createDoor({ store, clock, identity, leaseMs: 30_000, isPersons: () => false });
  const doors = new Map([owner, stranger].map((identity) => [identity, doorOf(identity)]));

  async function put(snapshot: RequestSnapshot) {
    const id = randomUUID();
    // Another endpoint is another namespace of response ids.
    const claim = aClaim({ id, endpoint: id, owner: owner.owner, limits });
    const standing = { state: stateOf(snapshot), snapshot: persist(snapshot) };
    const live = isLive(standing.state);
    const outcome = await store.claim(live ? { ...claim, ...standing } : claim);
    if (outcome.kind !== "claimed") throw new Error(`The claim was not taken: ${outcome.kind}`);
    const { record } = outcome;
    if (live) return record;
    const event = { eventId: randomUUID(), type: "placed", payload: {}, at: claim.at, process: "test" };
    const { machineVersion } = record;
    return written(
      await store.commit({
        id,
        fence: versionFence(record),
        event,
        ...standing,
        machineVersion,
        lease: { kind: "release" },
      }),
    );
  }

  return {
    store,
    file,
    clock,
    put,
    async send(id, event, as = owner) {
      clock.set(event.at);
      const door = doors.get(as);
      if (!door) throw new Error(`${as.owner} has no door here.`);
      return door.send(id, unstamped(event));
    },
    async close() {
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export function unstamped({ at: _at, ...event }: RequestEvent): Unstamped {
  return event;
}

import { sql } from "drizzle-orm";
import { isLive } from "../../../machines/snapshots.ts";
import type { RequestRecord, Totals } from "../store.ts";
import type { Connection } from "./connection.ts";
import { totals } from "./schema.ts";
import { given, statementsOf } from "./statements.ts";

const statements = statementsOf(({ db }) => ({
  read: db
    .select({
      sessions: totals.sessions,
      requests: totals.requests,
      live: totals.live,
      contentBytes: totals.contentBytes,
    })
    .from(totals)
    .prepare(),
  add: db
    .update(totals)
    .set({
      sessions: sql`${totals.sessions} + ${given("sessions")}`,
      requests: sql`${totals.requests} + ${given("requests")}`,
      live: sql`${totals.live} + ${given("live")}`,
      contentBytes: sql`${totals.contentBytes} + ${given("contentBytes")}`,
    })
    .prepare(),
}));

const nothing: Totals = { sessions: 0, requests: 0, live: 0, contentBytes: 0 };

/** `contentBytes` counts results and session instructions as stored, and the room reserved for answers to come. */
export function readTotals(connection: Connection): Totals {
  return statements(connection).read.get() ?? nothing;
}

/** Belongs in the transaction that makes the change. A change of nothing is not written. */
export function addToTotals(connection: Connection, change: Partial<Totals>): void {
  const delta = { ...nothing, ...change };
  if (Object.values(delta).every((count) => count === 0)) return;
  statements(connection).add.run(delta);
}

/** A live request takes a slot while somebody works on it; one that waits for a person has no owner and takes none. */
export function liveSlots({ state, owner }: Pick<RequestRecord, "state" | "owner">): 0 | 1 {
  return isLive(state) && owner !== null ? 1 : 0;
}

/** What a text takes of the content budget: its bytes as UTF-8. */
export function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

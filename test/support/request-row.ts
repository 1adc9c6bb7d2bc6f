/** A request as the database file holds it, read without claimcheck and without disturbing who writes it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import * as z from "zod";
import { until } from "./world.ts";

const rowSchema = z.object({
  state: z.string(),
  version: z.number(),
  epoch: z.number(),
  owner: z.string().nullable(),
  responseId: z.string().nullable(),
  delivered: z.number(),
  finished: z.number(),
  /** The session's pointer to its last successful response. */
  sessionPointer: z.string().nullable(),
  snapshot: z.string().transform((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text))),
});

const journalSchema = z.array(
  z.object({
    note: z.number(),
    type: z.string(),
    state: z.string(),
    payload: z.string().transform((text) => z.record(z.string(), z.unknown()).parse(JSON.parse(text))),
  }),
);

const outcomeSchema = z.object({ outcome: z.string() }).optional();

interface RequestRow extends z.output<typeof rowSchema> {
  /** The events that made its versions, in order. */
  events: string[];
  /** Journal rows outside the versions. */
  notes: { type: string; state: string; payload: Record<string, unknown> }[];
  /** The stored answer as JSON text; null where there is none. */
  outcome: string | null;
}

const rowSql = `select r.state, r.version, r.epoch, r.owner, r.response_id as responseId, r.snapshot,
    r.delivered_at is not null as delivered, r.finished_at is not null as finished,
    s.last_response_id as sessionPointer
  from requests r join sessions s on s.id = r.session_id where r.id = ?`;
const journalSql = "select note, type, state, payload from journal where request_id = ? order by seq, note";

/** Null while there is no such row. */
export function requestRow(dataDir: string, id: string): RequestRow | null {
  return read(dataDir, (database) => {
    const found = database.prepare(rowSql).get(id);
    if (found === undefined) return null;
    const journal = journalSchema.parse(database.prepare(journalSql).all(id));
    const result = outcomeSchema.parse(
      database.prepare("select outcome from results where request_id = ?").get(id),
    );
    return {
      ...rowSchema.parse(found),
      events: journal.filter(({ note }) => note === 0).map(({ type }) => type),
      notes: journal
        .filter(({ note }) => note > 0)
        .map(({ type, state, payload }) => ({ type, state, payload })),
      outcome: result?.outcome ?? null,
    };
  });
}

/** How many requests the database holds in all. */
export function requestCount(dataDir: string): number {
  const count = read(dataDir, (database) => database.prepare("select count(*) from requests").pluck().get());
  return z.number().parse(count ?? 0);
}

/** Waits until the row is as wanted. */
export function untilRow(dataDir: string, id: string, what: string, wanted: (row: RequestRow) => boolean) {
  return until(`${id} ${what}`, () => {
    const row = requestRow(dataDir, id);
    return row !== null && wanted(row) && row;
  });
}

/** Null before the tables are there: servers make them after their first reply. */
function read<T>(dataDir: string, work: (database: Database.Database) => T): T | null {
  const file = join(dataDir, "claimcheck.db");
  if (!existsSync(file)) return null;
  const database = new Database(file, { readonly: true });
  try {
    const ready = database.prepare("select 1 from sqlite_master where name = 'journal'").get() !== undefined;
    return ready ? database.transaction(() => work(database))() : null;
  } finally {
    database.close();
  }
}

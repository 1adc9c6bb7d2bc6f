import { and, asc, count, eq, gt, max } from "drizzle-orm";
import type { JournalEvent, JournalRow, Note, RequestRecord } from "../store.ts";
import type { Connection } from "./connection.ts";
import { journal, requests } from "./schema.ts";
import { given, statementsOf } from "./statements.ts";

/** A request that is asked about for a month would otherwise fill the database with failed retrievals. */
const mostNotes = 200;

const statements = statementsOf(({ db }) => ({
  insert: db
    .insert(journal)
    .values({
      requestId: given("requestId"),
      seq: given("seq"),
      note: given("note"),
      eventId: given("eventId"),
      type: given("type"),
      state: given("state"),
      at: given("at"),
      process: given("process"),
      payload: given("payload"),
    })
    .prepare(),
  rows: db
    .select({
      seq: journal.seq,
      note: journal.note,
      eventId: journal.eventId,
      type: journal.type,
      payload: journal.payload,
      at: journal.at,
      process: journal.process,
      state: journal.state,
    })
    .from(journal)
    .where(eq(journal.requestId, given("id")))
    .orderBy(asc(journal.seq), asc(journal.note))
    .prepare(),
  eventAt: db
    .select({ eventId: journal.eventId })
    .from(journal)
    .where(and(eq(journal.requestId, given("id")), eq(journal.seq, given("seq")), eq(journal.note, 0)))
    .prepare(),
  place: db
    .select({ seq: requests.version, state: requests.state })
    .from(requests)
    .where(eq(requests.id, given("id")))
    .prepare(),
  notes: db
    .select({ all: count() })
    .from(journal)
    .where(and(eq(journal.requestId, given("id")), gt(journal.note, 0)))
    .prepare(),
  lastNote: db
    .select({ note: max(journal.note) })
    .from(journal)
    .where(and(eq(journal.requestId, given("id")), eq(journal.seq, given("seq"))))
    .prepare(),
}));

/** The row of the event that made `record` what it is; in the same transaction. */
export function insertEvent(connection: Connection, record: RequestRecord, event: JournalEvent): void {
  const { id, version, state } = record;
  statements(connection).insert.run({ ...event, requestId: id, seq: version, note: 0, state });
}

/** A row beside the present version. A request that is gone, or has notes enough, takes none. */
export function insertNote(connection: Connection, id: string, note: Note): void {
  const { place, notes, lastNote, insert } = statements(connection);
  const at = place.get({ id });
  if (!at || (notes.get({ id })?.all ?? 0) >= mostNotes) return;
  const last = lastNote.get({ id, seq: at.seq })?.note ?? 0;
  insert.run({ ...note, ...at, requestId: id, note: last + 1, eventId: null });
}

export function readJournal(connection: Connection, id: string): JournalRow[] {
  return statements(connection)
    .rows.all({ id })
    .map((row) => ({ ...row, eventId: row.eventId ?? "" }));
}

/** Whether the event that made version `seq` is this one: how an unknown commit is found again. */
export function wasWritten(connection: Connection, id: string, seq: number, eventId: string): boolean {
  return statements(connection).eventAt.get({ id, seq })?.eventId === eventId;
}

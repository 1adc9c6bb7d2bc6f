import { and, eq, ne, sql } from "drizzle-orm";
import type { Settings } from "../../contract/settings.ts";
import type { SessionChange, SessionOutcome, SessionRecord } from "../store.ts";
import type { Connection } from "./connection.ts";
import { removable } from "./limits.ts";
import { sessionColumns } from "./records.ts";
import { sessions } from "./schema.ts";
import { holderOf } from "./session-gate.ts";
import { nameKeyOf } from "./session-name.ts";
import { given, givenFor, statementsOf } from "./statements.ts";
import { addToTotals, bytesOf, readTotals } from "./totals.ts";

const statements = statementsOf(({ db }) => ({
  read: db
    .select(sessionColumns)
    .from(sessions)
    .where(eq(sessions.id, given("id")))
    .prepare(),
  named: db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.nameKey, given("nameKey")), ne(sessions.id, given("id"))))
    .prepare(),
  write: db
    .update(sessions)
    .set({
      name: givenFor(sessions.name, "name"),
      nameKey: givenFor(sessions.nameKey, "nameKey"),
      defaults: givenFor(sessions.defaults, "defaults"),
      instructions: givenFor(sessions.instructions, "instructions"),
      instructionsBytes: givenFor(sessions.instructionsBytes, "instructionsBytes"),
      updatedAt: givenFor(sessions.updatedAt, "at"),
      version: sql`${sessions.version} + 1`,
    })
    .where(eq(sessions.id, given("id")))
    .returning(sessionColumns)
    .prepare(),
}));

/** Changes a session nobody works in, inside its transaction. Whatever refuses it has written nothing. */
export function configureNow(
  connection: Connection,
  id: string,
  change: SessionChange,
  at: number,
  limits: { contentBytes: number },
): SessionOutcome {
  const session = statements(connection).read.get({ id });
  if (!session) return { kind: "session_unknown" };
  const wanted = changed(session, change);
  return (
    busy(connection, id) ??
    nameTaken(connection, wanted) ??
    contentFull(connection, session, wanted, limits.contentBytes) ??
    write(connection, session, wanted, at)
  );
}

type Wanted = Pick<SessionRecord, "id" | "name" | "defaults" | "instructions">;

function changed({ id, name, defaults, instructions }: SessionRecord, change: SessionChange): Wanted {
  return {
    id,
    name: change.name === undefined ? name : change.name,
    defaults: without({ ...defaults, ...change.defaults }, change.unset ?? []),
    instructions: change.instructions === undefined ? instructions : change.instructions,
  };
}

function without(defaults: Settings, unset: readonly (keyof Settings)[]): Settings {
  const kept = { ...defaults };
  for (const name of unset) delete kept[name];
  return kept;
}

export function busy(connection: Connection, id: string): SessionOutcome | null {
  const by = holderOf(connection, id);
  return by ? { kind: "blocked", by } : null;
}

function nameTaken(connection: Connection, { id, name }: Wanted): SessionOutcome | null {
  if (name === null) return null;
  const other = statements(connection).named.get({ id, nameKey: nameKeyOf(name) });
  return other ? { kind: "name_taken", by: other.id } : null;
}

function contentFull(
  connection: Connection,
  session: SessionRecord,
  wanted: Wanted,
  max: number,
): SessionOutcome | null {
  const more = growth(session, wanted);
  if (more <= 0 || readTotals(connection).contentBytes + more <= max) return null;
  return { kind: "full", limit: "content", max, holders: removable(connection) };
}

function growth(session: SessionRecord, wanted: Wanted): number {
  return bytesOf(wanted.instructions) - bytesOf(session.instructions);
}

function write(connection: Connection, session: SessionRecord, wanted: Wanted, at: number): SessionOutcome {
  const [written] = statements(connection).write.all({
    ...wanted,
    at,
    nameKey: wanted.name === null ? null : nameKeyOf(wanted.name),
    instructionsBytes: bytesOf(wanted.instructions),
  });
  addToTotals(connection, { contentBytes: growth(session, wanted) });
  return written ? { kind: "done", session: written } : { kind: "session_unknown" };
}

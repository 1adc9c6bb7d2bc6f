import { and, eq, isNull } from "drizzle-orm";
import type { Claim, ClaimOutcome, RequestRecord } from "../store.ts";
import type { Connection } from "./connection.ts";
import { recordColumns } from "./records.ts";
import { requests, sessions } from "./schema.ts";
import { given, statementsOf } from "./statements.ts";

const statements = statementsOf(({ db }) => ({
  version: db
    .select({ version: sessions.version })
    .from(sessions)
    .where(eq(sessions.id, given("id")))
    .prepare(),
  unfinished: db
    .select(recordColumns)
    .from(requests)
    .where(and(eq(requests.sessionId, given("sessionId")), isNull(requests.finishedAt)))
    .prepare(),
}));

/** Why the session cannot take a request now: gone, changed since it was read, or held by another request. */
export function closedSession(connection: Connection, { session }: Claim): ClaimOutcome | null {
  if (session.kind === "new") return null;
  const found = statements(connection).version.get({ id: session.id });
  if (!found) return { kind: "session_unknown" };
  if (found.version !== session.version) return { kind: "session_moved" };
  const by = holderOf(connection, session.id);
  return by ? { kind: "blocked", by } : null;
}

/** The live or unresolved request of a session; there is at most one. */
export function holderOf(connection: Connection, sessionId: string): RequestRecord | null {
  return statements(connection).unfinished.get({ sessionId }) ?? null;
}

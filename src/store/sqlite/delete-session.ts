import { count, eq, sum } from "drizzle-orm";
import type { SessionOutcome } from "../store.ts";
import { busy } from "./configure-session.ts";
import type { Connection } from "./connection.ts";
import { sessionColumns } from "./records.ts";
import { questions, requests, results, sessions } from "./schema.ts";
import { given, statementsOf } from "./statements.ts";
import { addToTotals } from "./totals.ts";

const statements = statementsOf(({ db }) => ({
  weigh: db
    .select({
      requests: count(requests.id),
      answers: sum(results.bytes).mapWith(Number),
      questions: sum(questions.bytes).mapWith(Number),
    })
    .from(requests)
    .leftJoin(results, eq(results.requestId, requests.id))
    .leftJoin(questions, eq(questions.requestId, requests.id))
    .where(eq(requests.sessionId, given("id")))
    .prepare(),
  remove: db
    .delete(sessions)
    .where(eq(sessions.id, given("id")))
    .returning({ ...sessionColumns, instructionsBytes: sessions.instructionsBytes })
    .prepare(),
}));

/** Deletes a session nobody works in, inside its transaction. */
export function deleteNow(connection: Connection, id: string): SessionOutcome {
  return busy(connection, id) ?? removeSession(connection, id);
}

/** Takes the session with all that hangs on it. Only for one without live or unresolved work. */
export function removeSession(connection: Connection, id: string): SessionOutcome {
  const { weigh, remove } = statements(connection);
  const weight = weigh.get({ id });
  const [removed] = remove.all({ id });
  if (!removed) return { kind: "session_unknown" };
  const { instructionsBytes, ...session } = removed;
  addToTotals(connection, {
    sessions: -1,
    requests: -(weight?.requests ?? 0),
    contentBytes: -(weight?.answers ?? 0) - (weight?.questions ?? 0) - instructionsBytes,
  });
  return { kind: "done", session };
}

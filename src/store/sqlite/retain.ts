import { and, asc, eq, gte, isNull, lt, notExists, or } from "drizzle-orm";
import * as z from "zod";
import type { RetentionOrder } from "../store.ts";
import type { Connection } from "./connection.ts";
import { removeSession } from "./delete-session.ts";
import { dropQuestion } from "./questions.ts";
import { meta, requests, results, sessions } from "./schema.ts";
import { given, givenFor, statementsOf } from "./statements.ts";
import { addToTotals } from "./totals.ts";

/** How long one process keeps the others from retention; a crashed one stands in the way no longer than this. */
const turnMs = 60_000;
const turnName = "retention";
const turnSchema = z.object({ owner: z.string(), until: z.number() });

const statements = statementsOf(({ db }) => ({
  turn: db.select({ value: meta.value }).from(meta).where(eq(meta.key, turnName)).prepare(),
  takeTurn: db
    .insert(meta)
    .values({ key: turnName, value: given("value") })
    .onConflictDoUpdate({ target: meta.key, set: { value: givenFor(meta.value, "value") } })
    .prepare(),
  // What finished before was created before, and for that there is an index.
  oldResults: db
    .select({ requestId: results.requestId, bytes: results.bytes })
    .from(requests)
    .innerJoin(results, eq(results.requestId, requests.id))
    .where(
      and(
        lt(requests.createdAt, given("before")),
        lt(requests.finishedAt, given("before")),
        isNull(requests.prunedAt),
      ),
    )
    .orderBy(asc(requests.createdAt))
    .limit(given("limit"))
    .prepare(),
  dropResult: db
    .delete(results)
    .where(eq(results.requestId, given("requestId")))
    .prepare(),
  markPruned: db
    .update(requests)
    .set({ prunedAt: givenFor(requests.prunedAt, "at") })
    .where(eq(requests.id, given("requestId")))
    .prepare(),
  idleSessions: db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        lt(sessions.updatedAt, given("before")),
        notExists(
          db
            .select({ id: requests.id })
            .from(requests)
            .where(
              and(
                eq(requests.sessionId, sessions.id),
                or(isNull(requests.finishedAt), gte(requests.updatedAt, given("before"))),
              ),
            ),
        ),
      ),
    )
    .orderBy(asc(sessions.updatedAt))
    .limit(given("limit"))
    .prepare(),
}));

/** One small batch, inside its transaction; counts pruned results and deleted sessions. */
export function retainNow(connection: Connection, order: RetentionOrder): number {
  if (!takeTurn(connection, order)) return 0;
  const pruned = pruneResults(connection, order, order.batch);
  return pruned + expireSessions(connection, order, order.batch - pruned);
}

function takeTurn(connection: Connection, { owner, at }: RetentionOrder): boolean {
  const { turn, takeTurn } = statements(connection);
  const row = turn.get();
  const held = row ? turnSchema.parse(JSON.parse(row.value)) : null;
  if (held && held.owner !== owner && held.until > at) return false;
  takeTurn.run({ value: JSON.stringify({ owner, until: at + turnMs }) });
  return true;
}

/** Only finished requests have results, so nothing live or unresolved can be touched. */
function pruneResults(connection: Connection, order: RetentionOrder, limit: number): number {
  const { oldResults, dropResult, markPruned } = statements(connection);
  const old = oldResults.all({ before: order.resultsFinishedBefore, limit });
  for (const { requestId, bytes } of old) {
    dropResult.run({ requestId });
    dropQuestion(connection, requestId);
    markPruned.run({ requestId, at: order.at });
    addToTotals(connection, { contentBytes: -bytes });
  }
  return old.length;
}

function expireSessions(connection: Connection, order: RetentionOrder, limit: number): number {
  const idle = statements(connection).idleSessions.all({ before: order.sessionsIdleBefore, limit });
  for (const { id } of idle) removeSession(connection, id);
  return idle.length;
}

import { and, eq, sql } from "drizzle-orm";
import type { Commit, CommitOutcome } from "../store.ts";
import type { Connection } from "./connection.ts";
import { fencedUpdate } from "./fenced-update.ts";
import { insertEvent, wasWritten } from "./journal.ts";
import { dropQuestion } from "./questions.ts";
import { findRequest } from "./requests.ts";
import { insertResult } from "./results.ts";
import { requests, sessions } from "./schema.ts";
import { given, givenFor, statementsOf } from "./statements.ts";
import { isDiskFull, isDuplicate } from "./storage-error.ts";
import { addToTotals, liveSlots } from "./totals.ts";

const statements = statementsOf(({ db }) => ({
  /** What the row takes of the limits before the update; RETURNING only tells what it takes afterwards. */
  standing: db
    .select({ state: requests.state, owner: requests.owner, reservedBytes: requests.reservedBytes })
    .from(requests)
    .where(eq(requests.id, given("id")))
    .prepare(),
  ownerOfResponse: db
    .select({ id: requests.id })
    .from(requests)
    .where(
      and(
        eq(requests.responseId, given("responseId")),
        sql`(provider, endpoint) = (select provider, endpoint from ${requests} where id = ${given("id")})`,
      ),
    )
    .prepare(),
  advance: db
    .update(sessions)
    .set({
      lastResponseId: givenFor(sessions.lastResponseId, "responseId"),
      lastResponseAt: givenFor(sessions.lastResponseAt, "at"),
      updatedAt: givenFor(sessions.updatedAt, "at"),
      version: sql`${sessions.version} + 1`,
    })
    .where(eq(sessions.id, given("sessionId")))
    .prepare(),
}));

/** One commit, inside its transaction: state, journal, result and pointer together or not at all. */
export function commitNow(connection: Connection, commit: Commit): CommitOutcome {
  try {
    return write(connection, commit);
  } catch (error) {
    if (!isDuplicate(error, "requests.response_id")) throw error;
    return responseTaken(connection, commit);
  }
}

function write(connection: Connection, commit: Commit): CommitOutcome {
  const { id, event, result, advance } = commit;
  const before = statements(connection).standing.get({ id });
  const record = fencedUpdate(connection, commit);
  if (!before || !record) return { kind: "stale" };
  insertEvent(connection, record, event);
  const stored = result ? insertResult(connection, id, result) : 0;
  const freed = record.finishedAt === null ? 0 : before.reservedBytes;
  // A turn that its session does not go on from is no part of the conversation.
  if (record.finishedAt !== null && !advance) dropQuestion(connection, id);
  if (advance) statements(connection).advance.run({ ...advance, sessionId: record.sessionId, at: event.at });
  addToTotals(connection, { live: liveSlots(record) - liveSlots(before), contentBytes: stored - freed });
  return { kind: "committed", record };
}

/** The unique index refused the update, the first write of the transaction: nothing was changed. */
function responseTaken(connection: Connection, { id, responseId }: Commit): CommitOutcome {
  const owner = statements(connection).ownerOfResponse.get({ id, responseId });
  return owner ? { kind: "response_taken", by: owner.id } : { kind: "stale" };
}

/**
 * After an unknown commit, on a fresh connection: our event is where it would be, or it is not there, and then
 * whoever wrote reads again and decides again. A full disk stays full, so that is told instead.
 */
export function foundCommit(connection: Connection, commit: Commit, cause: unknown): CommitOutcome | null {
  const { id, fence, event } = commit;
  const there = wasWritten(connection, id, fence.version + 1, event.eventId);
  const record = there ? findRequest(connection, id) : null;
  if (record) return { kind: "committed", record };
  return isDiskFull(cause) ? null : { kind: "stale" };
}

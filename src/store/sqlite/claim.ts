import { eq, sql } from "drizzle-orm";
import type { Claim, ClaimOutcome, RequestRecord } from "../store.ts";
import type { Connection } from "./connection.ts";
import { findMatch } from "./equal-call.ts";
import { insertEvent, wasWritten } from "./journal.ts";
import { overLimit } from "./limits.ts";
import { bytesOfQuestion, insertQuestion } from "./questions.ts";
import { recordColumns } from "./records.ts";
import { findRequest } from "./requests.ts";
import { requests, sessions } from "./schema.ts";
import { closedSession } from "./session-gate.ts";
import { given, givenFor, statementsOf } from "./statements.ts";
import { addToTotals, bytesOf } from "./totals.ts";

const statements = statementsOf(({ db }) => ({
  insertSession: db
    .insert(sessions)
    .values({
      id: given("id"),
      provider: given("provider"),
      defaults: given("defaults"),
      instructions: given("instructions"),
      instructionsBytes: given("instructionsBytes"),
      version: 0,
      createdAt: given("at"),
      updatedAt: given("at"),
    })
    .prepare(),
  touchSession: db
    .update(sessions)
    .set({ updatedAt: givenFor(sessions.updatedAt, "at") })
    .where(eq(sessions.id, given("id")))
    .prepare(),
  insertRequest: db
    .insert(requests)
    .values({
      id: given("id"),
      sessionId: given("sessionId"),
      turn: sql`(select coalesce(max(${requests.turn}), 0) + 1 from ${requests} where ${requests.sessionId} = ${given("sessionId")})`,
      tool: given("tool"),
      provider: given("provider"),
      endpoint: given("endpoint"),
      state: given("state"),
      machineVersion: given("machineVersion"),
      snapshot: given("snapshot"),
      settings: given("settings"),
      wholeDigest: given("wholeDigest"),
      fieldDigests: given("fieldDigests"),
      version: 0,
      epoch: 1,
      owner: given("owner"),
      leaseUntil: given("leaseUntil"),
      reservedBytes: given("reserveBytes"),
      createdAt: given("at"),
      updatedAt: given("at"),
    })
    .returning(recordColumns)
    .prepare(),
}));

/** One claim, inside its transaction. Whatever refuses it has written nothing. */
export function claimNow(connection: Connection, claim: Claim): ClaimOutcome {
  return (
    findMatch(connection, claim) ??
    closedSession(connection, claim) ??
    overLimit(connection, claim) ??
    admit(connection, claim)
  );
}

function admit(connection: Connection, claim: Claim): ClaimOutcome {
  const opened = enterSession(connection, claim);
  const record = insertRequest(connection, claim);
  if (claim.question) insertQuestion(connection, record.id, claim.question);
  insertEvent(connection, record, {
    eventId: claim.eventId,
    type: "claimed",
    payload: { ...claim.input },
    at: claim.at,
    process: claim.process,
  });
  addToTotals(connection, {
    sessions: opened.sessions,
    requests: 1,
    live: 1,
    contentBytes: opened.bytes + bytesOfQuestion(claim.question) + claim.reserveBytes,
  });
  return { kind: "claimed", record };
}

function enterSession(connection: Connection, { session, at }: Claim): { sessions: number; bytes: number } {
  const { insertSession, touchSession } = statements(connection);
  if (session.kind === "existing") {
    touchSession.run({ id: session.id, at });
    return { sessions: 0, bytes: 0 };
  }
  const bytes = bytesOf(session.instructions);
  insertSession.run({ ...session, instructionsBytes: bytes, at });
  return { sessions: 1, bytes };
}

function insertRequest(connection: Connection, claim: Claim): RequestRecord {
  const { whole, fields } = claim.digests;
  const row = { ...claim, sessionId: claim.session.id, wholeDigest: whole, fieldDigests: fields };
  return statements(connection).insertRequest.get(row);
}

/** After an unknown commit, on a fresh connection: the claim is there with our event, or it is not there. */
export function foundClaim(connection: Connection, { id, eventId }: Claim): ClaimOutcome | null {
  const record = wasWritten(connection, id, 0, eventId) ? findRequest(connection, id) : null;
  return record && { kind: "claimed", record };
}

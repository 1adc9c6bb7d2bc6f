import { and, asc, eq, inArray } from "drizzle-orm";
import { outcomeSchema } from "../../../machines/evidence.ts";
import type { PastTurn, Question } from "../store.ts";
import type { Connection } from "./connection.ts";
import { questions, requests, results } from "./schema.ts";
import { given, statementsOf } from "./statements.ts";
import { addToTotals, bytesOf } from "./totals.ts";

/** The states that move a session on; see the machine's `advanceSession`. */
const movedOn = ["completed", "refused"] as const;

const statements = statementsOf(({ db }) => ({
  insert: db
    .insert(questions)
    .values({
      requestId: given("requestId"),
      bytes: given("bytes"),
      message: given("message"),
      prompt: given("prompt"),
    })
    .prepare(),
  read: db
    .select({ message: questions.message, prompt: questions.prompt })
    .from(questions)
    .where(eq(questions.requestId, given("id")))
    .prepare(),
  drop: db
    .delete(questions)
    .where(eq(questions.requestId, given("id")))
    .returning({ bytes: questions.bytes })
    .prepare(),
  past: db
    .select({ requestId: requests.id, message: questions.message, outcome: results.outcome })
    .from(requests)
    .leftJoin(questions, eq(questions.requestId, requests.id))
    .leftJoin(results, eq(results.requestId, requests.id))
    .where(and(eq(requests.sessionId, given("sessionId")), inArray(requests.state, movedOn)))
    .orderBy(asc(requests.turn))
    .prepare(),
}));

/** What a question takes of the content budget. */
export function bytesOfQuestion(question: Question | null): number {
  return question === null ? 0 : bytesOf(question.message) + bytesOf(question.prompt);
}

export function insertQuestion(connection: Connection, requestId: string, question: Question): void {
  statements(connection).insert.run({ requestId, bytes: bytesOfQuestion(question), ...question });
}

/** Belongs in the transaction after which nobody needs it: its answer was pruned, or there will be none. */
export function dropQuestion(connection: Connection, id: string): void {
  const [dropped] = statements(connection).drop.all({ id });
  if (dropped) addToTotals(connection, { contentBytes: -dropped.bytes });
}

export function readQuestion(connection: Connection, id: string): Question | null {
  return statements(connection).read.get({ id }) ?? null;
}

export function readPastTurns(connection: Connection, sessionId: string): PastTurn[] {
  return statements(connection)
    .past.all({ sessionId })
    .map(({ outcome, ...turn }) => ({
      ...turn,
      outcome: outcome === null ? null : outcomeSchema.parse(JSON.parse(outcome)),
    }));
}

import { eq } from "drizzle-orm";
import { type Outcome, outcomeSchema } from "../../../machines/evidence.ts";
import type { Connection } from "./connection.ts";
import { results } from "./schema.ts";
import { given, statementsOf } from "./statements.ts";
import { bytesOf } from "./totals.ts";

const statements = statementsOf(({ db }) => ({
  insert: db
    .insert(results)
    .values({
      requestId: given("requestId"),
      bytes: given("bytes"),
      outcome: given("outcome"),
    })
    .prepare(),
  read: db
    .select({ outcome: results.outcome })
    .from(results)
    .where(eq(results.requestId, given("id")))
    .prepare(),
}));

/** Returns the bytes it takes of the content budget. */
export function insertResult(connection: Connection, requestId: string, result: Outcome): number {
  const outcome = JSON.stringify(result);
  const bytes = bytesOf(outcome);
  statements(connection).insert.run({ requestId, bytes, outcome });
  return bytes;
}

export function readResult(connection: Connection, id: string): Outcome | null {
  const row = statements(connection).read.get({ id });
  return row ? outcomeSchema.parse(JSON.parse(row.outcome)) : null;
}

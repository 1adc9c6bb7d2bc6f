import { asc, eq, sql } from "drizzle-orm";
import type { LedgerQuery, LedgerRow } from "../store.ts";
import type { Connection } from "./connection.ts";
import { journal, requests } from "./schema.ts";
import { given, statementsOf } from "./statements.ts";

/** What a row must be where it is asked for; a parameter that is null asks for nothing. */
const asked = sql`
  (${given("since")} is null or ${requests.createdAt} >= ${given("since")})
  and (${given("until")} is null or ${requests.createdAt} < ${given("until")})
  and (${given("sessionId")} is null or ${requests.sessionId} = ${given("sessionId")})
  and (${given("tool")} is null or ${requests.tool} = ${given("tool")})
  and (${given("afterAt")} is null or (${requests.createdAt}, ${requests.id}) > (${given("afterAt")}, ${given("afterId")}))`;

const statements = statementsOf(({ db }) => ({
  page: db
    .select({
      id: requests.id,
      sessionId: requests.sessionId,
      tool: requests.tool,
      provider: requests.provider,
      // A damaged row is no reason to tell nothing of the others.
      model: sql<string>`coalesce(
        iif(json_valid(${requests.snapshot}), ${requests.snapshot} ->> '$.context.upstream.model', null),
        ${requests.settings} ->> '$.model')`,
      serviceTier: requests.serviceTier,
      usage: requests.usage,
      replays: requests.replays,
      recovered: sql<number>`${requests.state} in ('completed', 'refused', 'incomplete') and exists (
        select 1 from ${journal} where ${journal.requestId} = ${requests.id} and ${journal.state} = 'recovery_required')`,
      createdAt: requests.createdAt,
    })
    .from(requests)
    .where(asked)
    .orderBy(asc(requests.createdAt), asc(requests.id))
    .limit(given("limit"))
    .prepare(),
  countReplay: db
    .update(requests)
    .set({ replays: sql`${requests.replays} + 1` })
    .where(eq(requests.id, given("id")))
    .prepare(),
}));

export function readLedger(connection: Connection, query: LedgerQuery): LedgerRow[] {
  const { since, until, sessionId, tool, after, limit } = query;
  return statements(connection)
    .page.all({
      since: since ?? null,
      until: until ?? null,
      sessionId: sessionId ?? null,
      tool: tool ?? null,
      afterAt: after?.createdAt ?? null,
      afterId: after?.id ?? null,
      limit,
    })
    .map((row) => ({ ...row, recovered: row.recovered === 1 }));
}

export function countReplay(connection: Connection, id: string): void {
  statements(connection).countReplay.run({ id });
}

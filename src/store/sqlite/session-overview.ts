import { asc, count, eq, gt, sql } from "drizzle-orm";
import { liveStates, unresolvedStates } from "../../../machines/states.ts";
import type { SessionOverview } from "../store.ts";
import type { Connection } from "./connection.ts";
import { sessionColumns } from "./records.ts";
import { requests, sessions } from "./schema.ts";
import { nameKeyOf } from "./session-name.ts";
import { given, statementsOf } from "./statements.ts";

const among = (states: readonly string[]) =>
  sql<number>`count(case when ${requests.state} in ${states} then 1 end)`;

const overview = {
  session: sessionColumns,
  activeRequestId: sql<string | null>`max(case when ${requests.finishedAt} is null then ${requests.id} end)`,
  counts: {
    requests: count(requests.id),
    completed: among(["completed"]),
    unresolved: among(unresolvedStates),
    live: among(liveStates),
  },
};

/** The session that is meant by an id or a name; an id is stronger than an equal name. */
const meant = sql`(
  select id from ${sessions} where id = ${given("key")} or name_key = ${given("key")}
  order by id = ${given("key")} desc limit 1
)`;

const statements = statementsOf(({ db }) => {
  const counted = () =>
    db
      .select(overview)
      .from(sessions)
      .leftJoin(requests, eq(requests.sessionId, sessions.id))
      .groupBy(sessions.id);
  return {
    one: counted().where(eq(sessions.id, meant)).prepare(),
    page: counted()
      .where(gt(sessions.id, given("after")))
      .orderBy(asc(sessions.id))
      .limit(given("limit"))
      .prepare(),
  };
});

export function findSession(connection: Connection, idOrName: string): SessionOverview | null {
  const row = statements(connection).one.get({ key: nameKeyOf(idOrName) });
  return row ? flat(row) : null;
}

/** One page by id, counts included, in one statement. */
export function listSessions(connection: Connection, after: string | null, limit: number): SessionOverview[] {
  return statements(connection)
    .page.all({ after: after ?? "", limit })
    .map(flat);
}

function flat({
  session,
  ...rest
}: { session: Omit<SessionOverview, "activeRequestId" | "counts"> } & Pick<
  SessionOverview,
  "activeRequestId" | "counts"
>): SessionOverview {
  return { ...session, ...rest };
}

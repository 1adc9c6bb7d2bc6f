import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { isFinal } from "../../../machines/snapshots.ts";
import type { RequestQuery, RequestRecord } from "../store.ts";
import type { Connection } from "./connection.ts";
import { recordColumns } from "./records.ts";
import { requests } from "./schema.ts";
import { given, givenFor, statementsOf } from "./statements.ts";

const statements = statementsOf(({ db }) => ({
  byId: db
    .select(recordColumns)
    .from(requests)
    .where(eq(requests.id, given("id")))
    .prepare(),
  deliver: db
    .update(requests)
    .set({ deliveredAt: givenFor(requests.deliveredAt, "at") })
    .where(and(eq(requests.id, given("id")), isNotNull(requests.finishedAt), isNull(requests.deliveredAt)))
    .prepare(),
  lists: new Map<string, ReturnType<typeof prepareList>>(),
}));

export function findRequest(connection: Connection, id: string): RequestRecord | null {
  return statements(connection).byId.get({ id }) ?? null;
}

/** Only the first delivery of an answer counts. */
export function deliverRequest(connection: Connection, id: string, at: number): void {
  statements(connection).deliver.run({ id, at });
}

/** Newest first. One statement for each combination of filters that is really asked for. */
export function listRequests(connection: Connection, query: RequestQuery): RequestRecord[] {
  if (query.states?.length === 0) return [];
  const { lists } = statements(connection);
  const shape = shapeOf(query);
  const list = lists.get(shape) ?? prepareList(connection, query);
  lists.set(shape, list);
  return list.all({
    sessionId: query.sessionId,
    beforeAt: query.before?.createdAt,
    beforeId: query.before?.id,
    limit: query.limit,
  });
}

function shapeOf({ states, sessionId, undelivered, before }: RequestQuery): string {
  return JSON.stringify([
    states ?? null,
    sessionId !== undefined,
    undelivered === true,
    before !== undefined,
  ]);
}

function prepareList({ db }: Connection, query: RequestQuery) {
  return db
    .select(recordColumns)
    .from(requests)
    .where(and(...conditionsOf(query)))
    .orderBy(...newestFirst(query))
    .limit(given("limit"))
    .prepare();
}

function conditionsOf(query: RequestQuery): (SQL | undefined)[] {
  const { states, sessionId, undelivered, before } = query;
  return [
    states && inArray(requests.state, [...states]),
    // Says again what the states say, in the words of the partial index that holds these few rows.
    onlyUnfinished(query) ? isNull(requests.finishedAt) : undefined,
    undelivered ? and(isNotNull(requests.finishedAt), isNull(requests.deliveredAt)) : undefined,
    sessionId === undefined ? undefined : eq(requests.sessionId, given("sessionId")),
    before && sql`(${requests.createdAt}, ${requests.id}) < (${given("beforeAt")}, ${given("beforeId")})`,
  ];
}

/** The unary plus keeps SQLite from walking all requests in order to find the few that are not finished. */
function newestFirst(query: RequestQuery): SQL[] {
  const few = onlyUnfinished(query) || query.sessionId !== undefined;
  return few
    ? [sql`+${requests.createdAt} desc`, desc(requests.id)]
    : [desc(requests.createdAt), desc(requests.id)];
}

function onlyUnfinished({ states }: RequestQuery): boolean {
  return states !== undefined && !states.some(isFinal);
}

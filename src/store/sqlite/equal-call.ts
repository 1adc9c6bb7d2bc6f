import { and, desc, eq, gte, isNotNull, isNull, ne, or } from "drizzle-orm";
import type { ClaimOutcome, Likeness } from "../store.ts";
import type { Connection } from "./connection.ts";
import { recordColumns } from "./records.ts";
import { requests } from "./schema.ts";
import { given, statementsOf } from "./statements.ts";

const statements = statementsOf(({ db }) => ({
  byId: db
    .select({ record: recordColumns, whole: requests.wholeDigest, fields: requests.fieldDigests })
    .from(requests)
    .where(eq(requests.id, given("id")))
    .prepare(),
  equal: db
    .select(recordColumns)
    .from(requests)
    .where(and(eq(requests.wholeDigest, given("whole")), eq(requests.tool, given("tool")), stillTheSame()))
    .orderBy(desc(requests.createdAt), desc(requests.id))
    .limit(1)
    .prepare(),
}));

/**
 * A host that lost a call issues it again. While the first is at work or can be collected it is always meant; one
 * that nobody can ask about, or that finished unheard, only for a while.
 */
function stillTheSame() {
  const open = and(
    isNull(requests.finishedAt),
    or(ne(requests.state, "unknown_outcome"), gte(requests.updatedAt, given("since"))),
  );
  const unheard = and(
    isNotNull(requests.finishedAt),
    gte(requests.finishedAt, given("since")),
    isNull(requests.deliveredAt),
  );
  return or(open, unheard);
}

type Match = Extract<ClaimOutcome, { kind: "replayed" | "joined" | "conflict" }>;

/** The earlier request that this call means, or null where it would be a new one. */
export function findMatch(connection: Connection, call: Likeness): Match | null {
  return sameId(connection, call) ?? equalCall(connection, call);
}

/** What the id already stands for: the same call, or a conflict naming the fields that differ. */
function sameId(connection: Connection, call: Likeness): Match | null {
  const held = statements(connection).byId.get({ id: call.id });
  if (!held) return null;
  if (held.record.tool === call.tool && held.whole === call.digests.whole) {
    return { kind: "replayed", record: held.record };
  }
  return { kind: "conflict", fields: differences({ tool: held.record.tool, fields: held.fields }, call) };
}

/** An equal call that this one, made without an id, is taken to repeat; the newest if there are several. */
function equalCall(connection: Connection, call: Likeness): Match | null {
  if (call.idGiven) return null;
  const since = call.at - call.joinWindowMs;
  const record = statements(connection).equal.get({ whole: call.digests.whole, tool: call.tool, since });
  return record ? { kind: "joined", record } : null;
}

function differences(held: { tool: string; fields: Record<string, string> }, call: Likeness): string[] {
  const { fields } = call.digests;
  const names = new Set([...Object.keys(held.fields), ...Object.keys(fields)]);
  const differing = [...names].filter((name) => held.fields[name] !== fields[name]).sort();
  return held.tool === call.tool ? differing : ["tool", ...differing];
}

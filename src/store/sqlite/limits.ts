import { and, asc, eq, inArray, isNotNull, isNull, notExists } from "drizzle-orm";
import { liveStates } from "../../../machines/states.ts";
import type { Claim, ClaimOutcome } from "../store.ts";
import type { Connection } from "./connection.ts";
import { bytesOfQuestion } from "./questions.ts";
import { requests, sessions } from "./schema.ts";
import { statementsOf } from "./statements.ts";
import { bytesOf, readTotals } from "./totals.ts";

/** Enough to act on; an error message is no listing. */
const mostHolders = 10;

const statements = statementsOf(({ db }) => ({
  liveOnes: db
    .select({ id: requests.id })
    .from(requests)
    .where(and(isNull(requests.finishedAt), inArray(requests.state, liveStates), isNotNull(requests.owner)))
    .orderBy(asc(requests.createdAt), asc(requests.id))
    .limit(mostHolders)
    .prepare(),
  removable: db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      notExists(
        db
          .select({ id: requests.id })
          .from(requests)
          .where(and(eq(requests.sessionId, sessions.id), isNull(requests.finishedAt))),
      ),
    )
    .orderBy(asc(sessions.updatedAt), asc(sessions.id))
    .limit(mostHolders)
    .prepare(),
}));

/** The first limit this claim would pass, room for its answer included. */
export function overLimit(connection: Connection, claim: Claim): ClaimOutcome | null {
  const { limits, session } = claim;
  const now = readTotals(connection);
  const instructions = session.kind === "new" ? bytesOf(session.instructions) : 0;
  const wanted = claim.reserveBytes + bytesOfQuestion(claim.question) + instructions;
  if (session.kind === "new" && now.sessions >= limits.sessions)
    return full(connection, "sessions", limits.sessions);
  if (now.requests >= limits.requests) return full(connection, "requests", limits.requests);
  if (now.live >= limits.live) return full(connection, "live", limits.live);
  if (now.contentBytes + wanted > limits.contentBytes)
    return full(connection, "content", limits.contentBytes);
  return null;
}

type Full = Extract<ClaimOutcome, { kind: "full" }>;

function full(connection: Connection, limit: Full["limit"], max: number): Full {
  return {
    kind: "full",
    limit,
    max,
    holders: limit === "live" ? liveOnes(connection) : removable(connection),
  };
}

/** The requests that take the live slots, oldest first. */
function liveOnes(connection: Connection): string[] {
  return statements(connection)
    .liveOnes.all()
    .map(({ id }) => id);
}

/** Sessions whose deletion would free room, longest idle first. */
export function removable(connection: Connection): string[] {
  return statements(connection)
    .removable.all()
    .map(({ id }) => id);
}

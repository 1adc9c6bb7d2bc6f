import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { isFinal } from "../../../machines/snapshots.ts";
import type { Commit, RequestRecord } from "../store.ts";
import type { Connection } from "./connection.ts";
import { recordColumns } from "./records.ts";
import { requests } from "./schema.ts";
import { given, givenFor, statementsOf } from "./statements.ts";

const statements = statementsOf(({ db }) => {
  /** A settled request is moved by nothing, whatever the fence. */
  const fencedBy = (fence?: SQL) =>
    db
      .update(requests)
      .set(nextRow)
      .where(
        and(
          eq(requests.id, given("id")),
          eq(requests.version, given("version")),
          isNull(requests.finishedAt),
          fence,
        ),
      )
      .returning(recordColumns)
      .prepare();
  const sameEpoch = eq(requests.epoch, given("epoch"));
  return {
    // The lease is not tested: an expired owner whom nobody replaced may finish.
    owner: fencedBy(and(sameEpoch, eq(requests.owner, given("holder")))),
    version: fencedBy(),
    // A renewal moves no version, so whoever takes over must see the very lease that was judged dead.
    successor: fencedBy(and(sameEpoch, sql`${requests.leaseUntil} is ${given("seenLease")}`)),
  };
});

const nextRow = {
  state: givenFor(requests.state, "state"),
  machineVersion: givenFor(requests.machineVersion, "machineVersion"),
  snapshot: givenFor(requests.snapshot, "snapshot"),
  version: sql`${requests.version} + 1`,
  epoch: sql`${requests.epoch} + ${given("epochs")}`,
  owner: sql`iif(${given("keepsLease")}, ${requests.owner}, ${given("owner")})`,
  leaseUntil: sql`iif(${given("keepsLease")}, ${requests.leaseUntil}, ${given("leaseUntil")})`,
  responseId: sql`coalesce(${given("responseId")}, ${requests.responseId})`,
  usage: sql`coalesce(${givenFor(requests.usage, "usage")}, ${requests.usage})`,
  serviceTier: sql`coalesce(${given("serviceTier")}, ${requests.serviceTier})`,
  reservedBytes: sql`iif(${given("settles")}, 0, ${requests.reservedBytes})`,
  updatedAt: givenFor(requests.updatedAt, "at"),
  finishedAt: givenFor(requests.finishedAt, "finishedAt"),
};

/**
 * The one conditional update of the protocol: version, and what the fence asks for, must still hold.
 *
 * @returns the record as written, or null when somebody wrote in between or the lease is not the writer's
 */
export function fencedUpdate(connection: Connection, commit: Commit): RequestRecord | null {
  const { fence } = commit;
  return statements(connection)[fence.kind].get({ ...rowOf(commit), ...expectedBy(fence) }) ?? null;
}

/** The new values; SQLite knows no booleans. */
function rowOf(commit: Commit) {
  const { id, state, machineVersion, snapshot, responseId, usage, result, event, lease, fence } = commit;
  const settles = isFinal(state);
  const taken = lease.kind === "take" ? lease : null;
  return {
    id,
    state,
    machineVersion,
    snapshot,
    at: event.at,
    finishedAt: settles ? event.at : null,
    settles: Number(settles),
    responseId: responseId ?? null,
    usage: usage ?? null,
    serviceTier: result?.serviceTier ?? null,
    epochs: Number(fence.kind === "successor" || taken !== null),
    keepsLease: Number(lease.kind === "keep"),
    owner: taken?.owner ?? null,
    leaseUntil: taken?.until ?? null,
  };
}

function expectedBy(fence: Commit["fence"]) {
  switch (fence.kind) {
    case "owner":
      return { version: fence.version, epoch: fence.epoch, holder: fence.owner };
    case "version":
      return { version: fence.version };
    case "successor":
      return { version: fence.version, epoch: fence.epoch, seenLease: fence.leaseUntil };
  }
}

import { and, eq } from "drizzle-orm";
import type { Renewal } from "../store.ts";
import type { Connection } from "./connection.ts";
import { requests } from "./schema.ts";
import { given, givenFor, statementsOf } from "./statements.ts";

const statements = statementsOf(({ db }) => ({
  renew: db
    .update(requests)
    .set({ leaseUntil: givenFor(requests.leaseUntil, "until") })
    .where(
      and(
        eq(requests.id, given("id")),
        eq(requests.epoch, given("epoch")),
        eq(requests.owner, given("owner")),
      ),
    )
    .returning({ version: requests.version })
    .prepare(),
  version: db
    .select({ version: requests.version })
    .from(requests)
    .where(eq(requests.id, given("id")))
    .prepare(),
}));

/** Moves the lease and nothing else, where it is still this owner's. */
export function renewLease(
  connection: Connection,
  owner: string,
  { id, epoch }: { id: string; epoch: number },
  until: number,
): Renewal {
  const { renew, version } = statements(connection);
  const [held] = renew.all({ id, epoch, owner, until });
  return { id, held: held !== undefined, version: (held ?? version.get({ id }))?.version ?? null };
}

import type Client from "better-sqlite3";
import type { Connection } from "./connection.ts";
import { statementsOf } from "./statements.ts";
import { isDiskFault, UnknownCommit } from "./storage-error.ts";

export type WriteName =
  | "migrate"
  | "claim"
  | "commit"
  | "renew"
  | "note"
  | "deliver"
  | "configure"
  | "delete"
  | "retain";

/** Just before BEGIN · all written, just before COMMIT · COMMIT came back, nobody was told. */
export type WriteMoment = "begin" | "commit" | "committed";

/** Called at each moment of each write; a test may throw, kill the process or change the connection there. */
export type Faults = (point: `${WriteName}:${WriteMoment}`, client: Client.Database) => void;

/**
 * Runs `work` in one immediate transaction. A deferred one would fail on its first write whenever another
 * process wrote since its first read.
 *
 * @throws {UnknownCommit} when the disk failed during COMMIT; any other error means that nothing was written
 */
export function immediately<T>(connection: Connection, name: WriteName, work: () => T, faults?: Faults): T {
  const { client } = connection;
  const { begin, commit, rollback } = controlsOf(connection);
  let committing = false;
  faults?.(`${name}:begin`, client);
  begin.run();
  try {
    const outcome = work();
    committing = true;
    faults?.(`${name}:commit`, client);
    commit.run();
    faults?.(`${name}:committed`, client);
    return outcome;
  } catch (error) {
    // After some faults SQLite has rolled back by itself.
    if (client.inTransaction) rollback.run();
    throw committing && isDiskFault(error) ? new UnknownCommit(error) : error;
  }
}

const controlsOf = statementsOf(({ client }) => ({
  begin: client.prepare("BEGIN IMMEDIATE"),
  commit: client.prepare("COMMIT"),
  rollback: client.prepare("ROLLBACK"),
}));

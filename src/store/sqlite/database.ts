import { statSync } from "node:fs";
import { ClaimcheckError } from "../../contract/errors.ts";
import { type Connection, type ConnectionOptions, connect, type Durability } from "./connection.ts";
import { assertUsable, prepareFiles } from "./files.ts";
import { createHandle, type Handle } from "./handle.ts";
import { assertCurrent, enterWal, isCurrent, type Migrations, migrate } from "./migrate.ts";
import { migrations as released } from "./migrations.ts";
import { patiently } from "./patience.ts";
import { assertSqliteVersion } from "./sqlite-version.ts";
import { isDiskFault, storageError, UnknownCommit } from "./storage-error.ts";
import { type Faults, immediately, type WriteName } from "./transaction.ts";

export interface DatabaseOptions extends ConnectionOptions {
  /** Absolute path of the database file; its directory is made when it is missing. */
  file: string;
  /** Milliseconds a call goes on trying while other processes hold the lock; a call may have less of its own. */
  patienceMs: number;
  faults?: Faults;
  /** This version's own by default; a test may bring those of a version to come. */
  migrations?: Migrations;
}

type Work<T> = (connection: Connection) => T;
/** Looks for what an unknown commit may have written; null when it is not there. */
type Search<T> = (connection: Connection, cause: unknown) => T | null;

export interface Database {
  /** One transaction that survives power loss once it is committed. */
  fenced<T>(name: WriteName, work: Work<T>, search?: Search<T>, patienceMs?: number): Promise<T>;
  /** One transaction that power loss may undo, for what only costs a moment when lost; not synced, so fast. */
  relaxed<T>(name: WriteName, work: Work<T>): Promise<T>;
  /** Outside a transaction: each statement of `work` sees its own moment. */
  read<T>(work: Work<T>): Promise<T>;
  /** The same at once, without waiting for a lock. */
  peek<T>(work: Work<T>): T;
  close(): void;
}

/**
 * Opens the database, making and migrating it where needed; does nothing else, since hosts start several
 * processes at once and kill some of them.
 *
 * @throws {ClaimcheckError} `storage_unavailable`, `storage_corrupt`, `storage_newer` or `storage_full`
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { file, patienceMs, faults, migrations = released } = options;
  const first = await told(() => patiently(() => openFirst(options), patienceMs));
  const full = createHandle(() => reopen("FULL", options), first);
  const normal = createHandle(() => reopen("NORMAL", options));
  const opened = markOf(file);

  /** An open file that was deleted can still be written, and whoever opens the path anew knows nothing of it. */
  function assertStillThere() {
    if (markOf(file) !== opened) throw movedAway(file);
  }

  /** Whatever storage throws, in words for the caller. */
  async function told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storageError(error, file);
    }
  }

  async function use<T>(handle: Handle, work: Work<T>, ownPatienceMs = patienceMs): Promise<T> {
    try {
      return await patiently(() => work(handle.get()), Math.min(patienceMs, ownPatienceMs));
    } catch (error) {
      // What this handle remembers of the file is not to be trusted any more.
      if (isDiskFault(error)) handle.drop();
      throw error;
    }
  }

  /** A newer claimcheck may have moved the tables on under an open connection; what is not known is not touched. */
  function current<T>(work: Work<T>): Work<T> {
    return (connection) => {
      assertCurrent(connection, file, migrations);
      return work(connection);
    };
  }

  function write<T>(handle: Handle, name: WriteName, work: Work<T>, ownPatienceMs?: number): Promise<T> {
    return use(
      handle,
      (connection) => immediately(connection, name, () => current(work)(connection), faults),
      ownPatienceMs,
    );
  }

  async function found<T>(search: Search<T>, unknown: UnknownCommit): Promise<T> {
    const outcome = await use(full, (connection) => search(connection, unknown.cause));
    if (outcome === null) throw unknown;
    return outcome;
  }

  async function writeOrFind<T>(
    name: WriteName,
    work: Work<T>,
    search: Search<T>,
    ownPatienceMs?: number,
  ): Promise<T> {
    try {
      return await write(full, name, work, ownPatienceMs);
    } catch (error) {
      if (error instanceof UnknownCommit) return found(search, error);
      throw error;
    }
  }

  return {
    fenced: (name, work, search = () => null, ownPatienceMs) =>
      told(async () => {
        if (name === "claim") assertStillThere();
        return writeOrFind(name, work, search, ownPatienceMs);
      }),
    relaxed: (name, work) => told(() => write(normal, name, work)),
    read: (work) => told(() => use(full, current(work))),
    peek: (work) => work(full.get()),
    close() {
      full.close();
      normal.close();
    },
  };
}

/** Which file a path means at this moment; null when it means none. */
function markOf(file: string): string | null {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`;
}

function movedAway(file: string): ClaimcheckError {
  return new ClaimcheckError(
    "storage_unavailable",
    `The database ${file} was moved, replaced or deleted while claimcheck was using it; nothing was sent. Put it back, or restart claimcheck to go on with what is there now.`,
  );
}

/** Makes what is missing. */
function openFirst(options: DatabaseOptions): Connection {
  prepareFiles(options.file);
  return connected("FULL", options, makeReady);
}

function makeReady(connection: Connection, { file, faults, migrations = released }: DatabaseOptions): void {
  assertSqliteVersion(connection);
  // Asked first, so that another program's file is refused before it is put into WAL mode.
  const current = isCurrent(connection, file, migrations);
  enterWal(connection, file);
  if (!current) migrate(connection, file, migrations, faults);
}

/** Makes nothing: a disk that went away and left an empty folder must not be taken for an empty database. */
function reopen(durability: Durability, options: DatabaseOptions): Connection {
  assertUsable(options.file);
  return connected(durability, options, (connection, { file, migrations = released }) =>
    assertCurrent(connection, file, migrations),
  );
}

function connected(
  durability: Durability,
  options: DatabaseOptions,
  check: (connection: Connection, options: DatabaseOptions) => void,
): Connection {
  const connection = connect(options.file, durability, options);
  try {
    check(connection, options);
    return connection;
  } catch (error) {
    connection.client.close();
    throw error;
  }
}

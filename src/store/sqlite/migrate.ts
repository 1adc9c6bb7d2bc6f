import { randomBytes } from "node:crypto";
import { ClaimcheckError } from "../../contract/errors.ts";
import type { Connection } from "./connection.ts";
import { digestKeyName } from "./digest-key.ts";
import type { migrations } from "./migrations.ts";
import { meta, totals } from "./schema.ts";
import { statementsOf } from "./statements.ts";
import { type Faults, immediately } from "./transaction.ts";

/** All of them, oldest first. */
export type Migrations = typeof migrations;

/** Marks the file as ours in SQLite's header: "clmc". */
const applicationId = 0x636c6d63;

/**
 * Brings the database to this version's tables. Drizzle's own `migrate()` takes no lock, so two starting
 * processes can collide in it; here the version is read and moved in one transaction under the write lock. The
 * version is SQLite's `user_version`: how many of our migrations were applied.
 */
export function migrate(connection: Connection, file: string, known: Migrations, faults?: Faults): void {
  const apply = () => applyFrom(connection, storageVersion(connection, file, known), known);
  withoutForeignKeys(connection, () => immediately(connection, "migrate", apply, faults));
}

/** True when the tables are those of this version. Writes nothing. */
export function isCurrent(connection: Connection, file: string, known: Migrations): boolean {
  return storageVersion(connection, file, known) === known.length;
}

/**
 * @throws {ClaimcheckError} `storage_newer` when a newer claimcheck moved the tables on, `storage_unavailable`
 * when another file lies where ours was
 */
export function assertCurrent(connection: Connection, file: string, known: Migrations): void {
  // Asked by every transaction: the one number that any change of the tables moves.
  if (Number(marksOf(connection).version.get()) === known.length) return;
  storageVersion(connection, file, known);
  const message = `${file} is no longer the database that was opened. Put it back where it was, or restart claimcheck to go on with what is there now.`;
  throw new ClaimcheckError("storage_unavailable", message);
}

/** The mode stays with the file, and so with every later connection. */
export function enterWal({ client }: Connection, file: string): void {
  if (client.pragma("journal_mode = WAL", { simple: true }) === "wal") return;
  const message = `${file} is on a file system without shared memory, where several processes cannot share an SQLite database. Set CLAIMCHECK_DATA_DIR to an absolute path on a local disk.`;
  throw new ClaimcheckError("storage_unavailable", message);
}

/** Rebuilding a table drops the old one, which would cascade into every row that refers to it. */
function withoutForeignKeys({ client }: Connection, work: () => void): void {
  client.pragma("foreign_keys = OFF");
  try {
    work();
  } finally {
    client.pragma("foreign_keys = ON");
  }
}

function applyFrom(connection: Connection, version: number, known: Migrations): void {
  const { client, db } = connection;
  const missing = known.slice(version);
  for (const statement of missing.flatMap((migration) => migration.statements)) client.exec(statement);
  if (version === 0) furnish(db);
  client.pragma(`application_id = ${applicationId}`);
  client.pragma(`user_version = ${known.length}`);
}

/** The rows every database has from its first moment. */
function furnish(db: Connection["db"]): void {
  db.insert(totals).values({ sessions: 0, requests: 0, live: 0, contentBytes: 0 }).run();
  db.insert(meta)
    .values({ key: digestKeyName, value: randomBytes(32).toString("hex") })
    .run();
}

/** @throws {ClaimcheckError} `storage_newer`, or `storage_corrupt` for another program's database */
function storageVersion(connection: Connection, file: string, known: Migrations): number {
  const marks = marksOf(connection);
  const version = Number(marks.version.get());
  // In this order: whoever makes the tables meanwhile marks the file in the same transaction.
  if (!isEmpty(connection.client) && Number(marks.owner.get()) !== applicationId) throw foreign(file);
  if (version > known.length) throw newer(file, version, known.length);
  return version;
}

/** Prepared, since every transaction asks. */
const marksOf = statementsOf(({ client }) => ({
  version: client.prepare("PRAGMA user_version").pluck(),
  owner: client.prepare("PRAGMA application_id").pluck(),
}));

function isEmpty(client: Connection["client"]): boolean {
  return client.prepare("select 1 from sqlite_schema limit 1").get() === undefined;
}

function foreign(file: string) {
  const message = `${file} is an SQLite database of another program. It was left untouched: set CLAIMCHECK_DATA_DIR to a directory of claimcheck's own.`;
  return new ClaimcheckError("storage_corrupt", message);
}

function newer(file: string, version: number, known: number) {
  const message = `${file} was written by a newer claimcheck (storage version ${version}, this one knows ${known}). Upgrade claimcheck; the file was left untouched.`;
  return new ClaimcheckError("storage_newer", message, { details: { version, known } });
}

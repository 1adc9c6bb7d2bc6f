import { ClaimcheckError } from "../../contract/errors.ts";
import type { Connection } from "./connection.ts";

/**
 * Older versions can lose or corrupt commits when several processes write and checkpoint one WAL database
 * (sqlite.org/wal.html, "the WAL-reset bug").
 */
const floor = "3.51.3";

export function assertSqliteVersion(connection: Connection): void {
  const version = String(connection.client.prepare("select sqlite_version()").pluck().get());
  if (!isAtLeast(version, floor)) throw tooOld(version);
}

/** Compares dotted numbers; what cannot be read counts as too old. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, need] = [version, least].map((text) => text.split(".").map(Number));
  for (const [place, number] of (need ?? []).entries()) {
    const ours = have?.[place] ?? 0;
    if (ours !== number) return ours > number;
  }
  return true;
}

function tooOld(version: string) {
  const message = `This better-sqlite3 carries SQLite ${version}, which can damage a database that several processes write; ${floor} or later is needed. Run "npm install better-sqlite3@12.11.1" where claimcheck is installed.`;
  return new ClaimcheckError("storage_unavailable", message);
}

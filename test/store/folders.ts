import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Client from "better-sqlite3";
import { openSqliteStore, type SqliteStoreOptions } from "../../src/store/sqlite/open.ts";

/** A new folder that is gone once `use` is done. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "claimcheck-store-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A store on a file in a folder that does not exist yet. */
export async function makeSqliteDatabase(options: Partial<SqliteStoreOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "claimcheck-store-"));
  const file = join(folder, "data", "claimcheck.db");
  return {
    file,
    open: () => openSqliteStore({ file, ...options }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Makes an empty claimcheck database at `file` and leaves it closed. */
export async function createDatabase(file: string): Promise<void> {
  const store = await openSqliteStore({ file });
  await store.close();
}

/** Uses the file as plain SQLite does. */
export function withClient<T>(file: string, use: (client: Client.Database) => T): T {
  const client = new Client(file);
  try {
    return use(client);
  } finally {
    client.close();
  }
}

/** What SQLite itself finds wrong with the file; empty when nothing is. */
export function faultsIn(file: string): unknown[] {
  return withClient(file, (client) => [
    ...(client.pragma("integrity_check") as { integrity_check: string }[]).filter(
      (row) => row.integrity_check !== "ok",
    ),
    ...(client.pragma("foreign_key_check") as unknown[]),
  ]);
}

/** Only for a file that no connection of this process has open: closing it would drop their locks. */
export function contentHash(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

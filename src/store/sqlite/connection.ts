import Client from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";

/** One open handle: `client` for pragmas and transactions, `db` to build statements with. */
export interface Connection {
  readonly client: Client.Database;
  readonly db: BetterSQLite3Database;
}

/**
 * `FULL` syncs each commit to disk, so that nothing is done about an intent that power loss could undo. `NORMAL`
 * may lose its last commits then, never their order; a lease or a read mark may be lost.
 */
export type Durability = "FULL" | "NORMAL";

export interface ConnectionOptions {
  /** Milliseconds SQLite itself may sleep on a lock. It sleeps on Node's only thread, so: short. */
  busyMs: number;
  /** Where the compiled addon lies when not in better-sqlite3's own folder. */
  nativeBinding?: string;
}

/** @throws {Error} whatever better-sqlite3 says; see `storageError` */
export function connect(file: string, durability: Durability, options: ConnectionOptions): Connection {
  const { busyMs, nativeBinding } = options;
  const client = new Client(file, {
    timeout: busyMs,
    fileMustExist: true,
    ...(nativeBinding && { nativeBinding }),
  });
  try {
    // better-sqlite3 is compiled to use NORMAL in WAL mode.
    client.pragma(`synchronous = ${durability}`);
    // On macOS fsync does not reach the disk; this does.
    if (process.platform === "darwin") client.pragma("fullfsync = 1");
    return { client, db: drizzle(client) };
  } catch (error) {
    client.close();
    throw error;
  }
}

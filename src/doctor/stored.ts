/** Everything that is asked of the database, read at one moment and without leaving a trace. */
import type Client from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { machineVersion } from "../../machines/snapshots.ts";
import { liveStates, unresolvedStates } from "../../machines/states.ts";
import { ClaimcheckError } from "../contract/errors.ts";
import { isCurrent } from "../store/sqlite/migrate.ts";
import { migrations } from "../store/sqlite/migrations.ts";
import { patiently } from "../store/sqlite/patience.ts";
import { listRequests } from "../store/sqlite/requests.ts";
import { storageError } from "../store/sqlite/storage-error.ts";
import { readTotals } from "../store/sqlite/totals.ts";
import type { RequestRecord, Totals } from "../store/store.ts";
import { placeOf } from "./place.ts";
import { isWal, readQuietly, sizeOf, Untouchable } from "./quiet-open.ts";

export interface Stored {
  /** Changes that are not in the file yet included. */
  bytes: number;
  /** Whether the file is in WAL mode already; opening it for writing puts it there. */
  wal: boolean;
  totals: Totals;
  /** How many unfinished requests are of a newer claimcheck, which this one leaves alone. */
  newer: number;
  live: readonly RequestRecord[];
  unresolved: readonly RequestRecord[];
  /** The newest of all, newest first. */
  newest: readonly RequestRecord[];
  /** When anything was last written, by the clock of whoever wrote it. */
  lastAt: number | null;
}

export type Sight =
  /** Not looked at; `why` is a whole sentence. */
  | { kind: "unasked"; why: string }
  /** Cannot be looked at without leaving a trace. */
  | { kind: "untouched"; why: string }
  /** No file. */
  | { kind: "absent" }
  /** One in which nothing was stored yet. */
  | { kind: "empty" }
  /** Of an older claimcheck: to be migrated before it is read. */
  | { kind: "older" }
  /** Damaged, foreign, newer, locked, or kept from us; the error says which and what to do. */
  | { kind: "closed"; error: ClaimcheckError }
  | { kind: "seen"; stored: Stored };

/** How long it may stay locked; transactions take milliseconds. */
const patienceMs = 2_000;
/** More than any list that is shown, and than the largest number of live requests. */
const most = 1_000;

export async function look(file: string): Promise<Sight> {
  const place = placeOf(file);
  if (place === null) return { kind: "absent" };
  if (typeof place === "string") return closed(Object.assign(new Error(place), { code: place }), file);
  if (!place.isFile()) return closed(Object.assign(new Error("not a file"), { code: "EISDIR" }), file);
  if (place.size === 0) return { kind: "empty" };
  try {
    return await patiently(() => {
      // Before SQLite opens it: closing a file drops the locks that this process has on it.
      const format = { bytes: place.size + sizeOf(`${file}-wal`), wal: isWal(file) };
      return readQuietly(file, (client) => sightOf(client, file, format));
    }, patienceMs);
  } catch (error) {
    return error instanceof Untouchable ? { kind: "untouched", why: error.message } : closed(error, file);
  }
}

function closed(cause: unknown, file: string): Sight {
  const error = storageError(cause, file);
  if (error instanceof ClaimcheckError) return { kind: "closed", error };
  throw error;
}

function sightOf(client: Client.Database, file: string, format: Pick<Stored, "bytes" | "wal">): Sight {
  const connection = { client, db: drizzle(client) };
  if (!isCurrent(connection, file, migrations)) return { kind: isBlank(client) ? "empty" : "older" };
  assertSound(client, file);
  return {
    kind: "seen",
    stored: {
      ...format,
      totals: readTotals(connection),
      newer: countNewer(client),
      live: listRequests(connection, { states: liveStates, limit: most }),
      unresolved: listRequests(connection, { states: unresolvedStates, limit: most }),
      newest: listRequests(connection, { limit: 50 }),
      lastAt: lastEntry(client),
    },
  };
}

function isBlank(client: Client.Database): boolean {
  return client.prepare("select 1 from sqlite_schema limit 1").get() === undefined;
}

/** Reads every page once; takes about a second for each GiB. */
function assertSound(client: Client.Database, file: string): void {
  const found = String(client.pragma("quick_check(1)", { simple: true }));
  if (found === "ok") return;
  // Above the finding stands a heading in stars.
  const finding = found.split("\n").find((line) => !line.startsWith("*")) ?? "";
  const message = `${file} is damaged (SQLite's quick_check: ${finding.slice(0, 120)}). Restore it from a backup, or move it away to start with an empty one.`;
  throw new ClaimcheckError("storage_corrupt", message);
}

function countNewer(client: Client.Database): number {
  const sql = "select count(*) from requests where finished_at is null and machine_version > ?";
  return Number(client.prepare(sql).pluck().get(machineVersion));
}

/** Leases are left out: they lie in the future by right. */
function lastEntry(client: Client.Database): number | null {
  const found = client
    .prepare("select max((select max(updated_at) from requests), (select max(at) from journal))")
    .pluck()
    .get();
  return typeof found === "number" ? found : null;
}

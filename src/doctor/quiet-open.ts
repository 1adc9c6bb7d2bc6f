/**
 * Opens a database without leaving a trace. SQLite itself, even when told to read only, makes `-wal` and `-shm` files
 * beside a database in WAL mode and leaves them there.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import Client from "better-sqlite3";

const MiB = 1_024 * 1_024;
/** It is read into memory whole, twice for a moment. */
const largestImage = 512 * MiB;

/** Where the header says how the file is written and read: 2 for WAL, 1 for a rollback journal. */
const formatBytes = [18, 19] as const;

/** It cannot be read without leaving a trace. The message is a sentence or two on why, and what to do. */
export class Untouchable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Untouchable";
  }
}

/**
 * Calls `use` with what is committed now. Where a process has the database open, that is a connection that only
 * reads; otherwise it is a copy in memory.
 *
 * @throws {Untouchable}
 * @throws {Error} whatever better-sqlite3 or Node says; see `storageError`
 */
export function readQuietly<T>(file: string, use: (client: Client.Database) => T): T {
  const client = sizeOf(`${file}-wal`) === 0 ? imageOf(file) : besideOthers(file);
  try {
    return use(client);
  } finally {
    client.close();
  }
}

export function isWal(file: string): boolean {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, header, 0, header.length, 0);
    return saysWal(header);
  } finally {
    closeSync(descriptor);
  }
}

const saysWal = (header: Buffer) => formatBytes.every((place) => header[place] === 2);

function besideOthers(file: string): Client.Database {
  if (statSync(`${file}-shm`, { throwIfNoEntry: false }) === undefined) throw toBeTakenIn(file);
  return new Client(file, { readonly: true, fileMustExist: true, timeout: 100 });
}

/** The bytes as they are while nobody writes: with nothing in `-wal`, all that is committed is in them. */
function imageOf(file: string, tries = 5): Client.Database {
  const before = markOf(file);
  if (sizeOf(file) > largestImage) throw tooLarge(file);
  const bytes = readFileSync(file);
  if (tries > 0 && markOf(file) !== before) return imageOf(file, tries - 1);
  if (saysWal(bytes)) for (const place of formatBytes) bytes[place] = 1;
  return new Client(bytes, { readonly: true });
}

/** Moves when somebody wrote in between. */
function markOf(file: string): string {
  const { size, mtimeNs, ino } = statSync(file, { bigint: true });
  return `${ino}:${size}:${mtimeNs}:${sizeOf(`${file}-wal`)}`;
}

/** 0 where there is no such file. */
export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function toBeTakenIn(file: string): Untouchable {
  return new Untouchable(
    `${file}-wal holds changes that were not taken in yet, and taking them in would change the file. Start claimcheck once, then ask again.`,
  );
}

function tooLarge(file: string): Untouchable {
  return new Untouchable(
    `${file} is too large to be looked into by itself. Ask again while a claimcheck server runs on it.`,
  );
}

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { codeOf } from "./storage-error.ts";

const onlyOwner = 0o600;
const others = 0o077;

/**
 * Makes the data directory (0700) and an empty database file (0600) where they are missing. SQLite gives its
 * `-wal` and `-shm` files the mode of the database file.
 *
 * @throws {Error} Node's own, with `code`
 */
export function prepareFiles(file: string): void {
  makeFolder(dirname(file));
  createEmpty(file);
  keepPrivate(file);
  assertUsable(file);
}

/**
 * SQLite would silently open a file it may not write, and fail at the first claim.
 *
 * @throws {Error} Node's own, with `code`
 */
export function assertUsable(file: string): void {
  accessSync(file, constants.R_OK | constants.W_OK);
  accessSync(dirname(file), constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Not `recursive: true`: with that, Node spins for ever where a file system takes no directories, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/**
 * Never opens a file that is there: closing it again would drop every POSIX lock this process holds on it,
 * those of an SQLite connection included (sqlite.org/howtocorrupt.html §2.2).
 */
function createEmpty(file: string): void {
  try {
    closeSync(openSync(file, "wx", onlyOwner));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function keepPrivate(file: string): void {
  const found = statSync(file);
  if (process.platform === "win32" || !found.isFile() || (found.mode & others) === 0) return;
  for (const path of [file, `${file}-wal`, `${file}-shm`]) chmodIfThere(path);
}

function chmodIfThere(path: string): void {
  try {
    chmodSync(path, onlyOwner);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

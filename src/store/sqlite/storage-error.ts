import * as z from "zod";
import { ClaimcheckError, type ErrorCode } from "../../contract/errors.ts";

/** Both SQLite and Node name what went wrong in `code`, e.g. `SQLITE_IOERR_FSYNC`, `EACCES`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Somebody else holds the lock; the same attempt may work a moment later. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|PROTOCOL)/.test(codeOf(error));
}

/** The disk failed us, so that SQLite cannot say what is on it. */
export function isDiskFault(error: unknown): boolean {
  return error instanceof UnknownCommit || /^SQLITE_(IOERR|FULL)/.test(codeOf(error));
}

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === "SQLITE_FULL";
}

/** A unique index that names `column` refused a row. */
export function isDuplicate(error: unknown, column: string): boolean {
  return (
    codeOf(error) === "SQLITE_CONSTRAINT_UNIQUE" && error instanceof Error && error.message.includes(column)
  );
}

/** COMMIT failed such that the write may or may not be there: look for it, never guess. */
export class UnknownCommit extends Error {
  constructor(cause: unknown) {
    super("The database could not say whether it kept a write.", { cause });
    this.name = "UnknownCommit";
  }
}

interface Reading {
  when: RegExp;
  code: ErrorCode;
  /** `what` is SQLite's or Node's name for the fault. */
  say: (file: string, what: string) => string;
}

const elsewhere = "set CLAIMCHECK_DATA_DIR to an absolute path on a local disk you may write to";

const readings: readonly Reading[] = [
  {
    when: /^SQLITE_(NOTADB|CORRUPT)/,
    code: "storage_corrupt",
    say: (file, what) =>
      `${file} is damaged or not a claimcheck database (${what}). It was left untouched: restore it from a backup, or move it away to start with an empty one.`,
  },
  {
    when: /^(SQLITE_FULL|ENOSPC|EDQUOT)/,
    code: "storage_full",
    say: (file, what) =>
      `The disk that holds ${file} is full (${what}); nothing was written. Free some space and try again.`,
  },
  {
    when: /^SQLITE_(BUSY|PROTOCOL)/,
    code: "storage_unavailable",
    say: (file, what) =>
      `${file} stayed locked by another process (${what}). Try again; if it stays so, find the process that holds the file.`,
  },
  {
    when: /^(SQLITE_(READONLY|PERM|AUTH)|EACCES|EPERM|EROFS)/,
    code: "storage_unavailable",
    say: (file, what) =>
      `${file} cannot be written (${what}). Make it writable for this user, or ${elsewhere}.`,
  },
  {
    when: /^(SQLITE_(CANTOPEN|NOLFS)|ENOENT|ENOTDIR|EISDIR|ELOOP|ENAMETOOLONG|EINVAL)/,
    code: "storage_unavailable",
    say: (file, what) => `${file} cannot be opened (${what}). Check the path, or ${elsewhere}.`,
  },
  {
    when: /^(SQLITE_(IOERR|NOMEM|INTERRUPT)|EIO|EMFILE|ENFILE)/,
    code: "storage_unavailable",
    say: (file, what) =>
      `${file} could not be read or written (${what}). Check the disk, then ask for the request again by its id; nothing is sent twice.`,
  },
];

/** What a caller is told when storage fails; anything that is not storage's fault comes back as it is. */
export function storageError(error: unknown, file: string): unknown {
  if (error instanceof UnknownCommit) return storageError(error.cause, file);
  if (error instanceof z.ZodError || error instanceof SyntaxError) return unreadable(error, file);
  if (isAddonFault(error)) return addonError(error);
  const what = codeOf(error);
  const reading = readings.find(({ when }) => when.test(what));
  return reading ? new ClaimcheckError(reading.code, reading.say(file, what), { cause: error }) : error;
}

function unreadable(cause: Error, file: string) {
  const message = `A row of ${file} does not have the shape this claimcheck writes. It was left untouched: upgrade claimcheck, or restore the file from a backup.`;
  return new ClaimcheckError("storage_corrupt", message, { cause });
}

/** Compiled for another Node, or not compiled at all. */
function isAddonFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    codeOf(error) === "ERR_DLOPEN_FAILED" ||
    /Could not locate the bindings file|better_sqlite3\.node/.test(error.message)
  );
}

function addonError(cause: unknown) {
  const { version, versions } = process;
  const message = `better-sqlite3 does not load in Node ${version} (ABI ${versions.modules}, ${process.platform}-${process.arch}): run "npm rebuild better-sqlite3" with this Node where claimcheck is installed.`;
  return new ClaimcheckError("storage_unavailable", message, { cause });
}

/**
 * The one directory that named files may be read from. A path is followed to what it really is, that must lie inside
 * the directory as it really is, and what was opened must be what was looked at: nothing is waited for, and nothing
 * can be put in its place between the look and the reading.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { ruleAgainst } from "./paths.ts";
import { fileRefused } from "./refused.ts";

/** Larger files are refused unread; what is left is trimmed by the budget. Bytes. */
export const largestFile = 1_024 * 1_024;

/** Reads one named file as text. Rejects with `file_refused`, saying why. */
export type ReadNamedFile = (path: string) => Promise<string>;

export function contextDirectory(directory: string): ReadNamedFile {
  return async function read(path) {
    const rule = ruleAgainst(path);
    if (rule !== null) throw fileRefused(path, `${rule} is never sent`);
    const root = await realpath(directory).catch((error: unknown) => {
      throw fileRefused(path, "the directory named by CLAIMCHECK_CONTEXT_DIR is not there", error);
    });
    const file = await placeOf(path, root);
    return readWhole(path, file, root);
  };
}

/** Where a path really leads, which must be inside. */
async function placeOf(path: string, root: string): Promise<string> {
  if (path.includes("\0")) throw fileRefused(path, "its name holds a character that no file has");
  const asked = resolve(root, path);
  // Said before the disk is asked, so that nothing is learned of what lies outside.
  if (!isInside(asked, root)) throw fileRefused(path, outside);
  const real = await realpath(asked).catch((error: unknown) => {
    throw fileRefused(path, "there is no such file in the context directory", error);
  });
  assertSendable(path, real, root);
  return real;
}

const outside = "it lies outside the context directory";

function assertSendable(path: string, real: string, root: string): void {
  if (!isInside(real, root)) throw fileRefused(path, outside);
  const rule = ruleAgainst(relative(root, real));
  if (rule !== null) throw fileRefused(path, `it leads to a file that is never sent (${rule})`);
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Not through a last link, and without waiting for the other end of a pipe; both are 0 where a system has neither. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function readWhole(path: string, file: string, root: string): Promise<string> {
  const handle = await open(file, flags).catch((error: unknown) => {
    throw fileRefused(path, "it cannot be opened", error);
  });
  try {
    await assertSame(path, file, handle, root);
    return textIn(path, await bytesIn(path, handle));
  } finally {
    await handle.close();
  }
}

/** A folder on the way may have become a link since it was followed: what counts is where the open file lies. */
async function assertSame(path: string, file: string, handle: FileHandle, root: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  if (!opened.isFile()) throw fileRefused(path, "it is not a regular file");
  if (opened.size > largestFile)
    throw fileRefused(path, `it has ${opened.size} bytes, more than ${largestFile}`);
  const where = (await pathByHandle(handle)) ?? (await pathByLooking(file, opened));
  if (where === null) throw fileRefused(path, moved);
  assertSendable(path, where, root);
}

/** Linux tells where an open file lies (proc_pid_fd(5)); null where a system does not. */
function pathByHandle({ fd }: FileHandle): Promise<string | null> {
  return readlink(`/proc/self/fd/${fd}`).catch(() => null);
}

/** How often it is looked whether the way still leads to the open file, so that one swap in between is seen. */
const looks = 3;

/** Elsewhere the way is followed again and again; null where it leads to another file, or changes meanwhile. */
async function pathByLooking(
  file: string,
  { dev, ino }: { dev: bigint; ino: bigint },
): Promise<string | null> {
  const seen = new Set<string | null>();
  for (let look = 0; look < looks; look += 1) {
    const where = await realpath(file).catch(() => null);
    const there = where === null ? null : await lstat(where, { bigint: true }).catch(() => null);
    seen.add(there?.dev === dev && there.ino === ino ? where : null);
  }
  const [where = null] = seen;
  return seen.size === 1 ? where : null;
}

const moved = "it was moved or replaced while it was looked at";

/** At most one byte more than may be: files grow, and some have no size that can be known. */
async function bytesIn(path: string, handle: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(largestFile + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > largestFile) throw fileRefused(path, `it has more than ${largestFile} bytes`);
    if (bytesRead === 0) return buffer.subarray(0, length);
  }
}

function textIn(path: string, bytes: Buffer): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch (error) {
    throw fileRefused(path, "it is not text in UTF-8", error);
  }
  throw fileRefused(path, "it is not text");
}

/** Who has the database open and who is writing it, where Linux tells: it lists every lock by inode and bytes. */
import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Bytes of the `-shm` file (sqlite.org/walformat.html §2.2.1): the one that a writer locks, and one for all who have
 * the database open. Locks for writing on the database file itself are taken by those who want it for themselves.
 */
const writeByte = 120;
const openByte = 128;

interface Lock {
  kind: "READ" | "WRITE";
  pid: number;
  from: number;
  to: number;
}

export interface Holders {
  /** Ids of the processes that have it open, those of other containers not among them. */
  open: readonly number[];
  /** Who kept the others from writing for all of the time that it was looked at; transactions take milliseconds. */
  blocking: number | null;
}

export const nobody: Holders = { open: [], blocking: null };

/** Takes up to `patienceMs`, and no time at all where nobody writes. */
export async function holdersOf(file: string, patienceMs: number): Promise<Holders> {
  const open = locksOn(`${file}-shm`).filter(covers(openByte));
  return { open: [...new Set(open.map(({ pid }) => pid))], blocking: await blockerOf(file, patienceMs) };
}

async function blockerOf(file: string, patienceMs: number): Promise<number | null> {
  const giveUpAt = performance.now() + patienceMs;
  const first = writerOf(file);
  while (first !== null && performance.now() < giveUpAt) {
    await sleep(20);
    if (writerOf(file) !== first) return null;
  }
  return first;
}

function writerOf(file: string): number | null {
  const locks = [...locksOn(`${file}-shm`).filter(covers(writeByte)), ...locksOn(file)];
  return locks.find(({ kind }) => kind === "WRITE")?.pid ?? null;
}

const covers = (byte: number) => (lock: Lock) => lock.from <= byte && byte <= lock.to;

/** Matched by inode alone: some file systems show another device here than elsewhere. Empty where nothing is told. */
function locksOn(file: string): Lock[] {
  try {
    const { ino } = statSync(file, { bigint: true });
    return readFileSync("/proc/locks", "utf8").split("\n").flatMap(parse(ino));
  } catch {
    return [];
  }
}

/** `1: POSIX  ADVISORY  WRITE 4440 fe:00:2409289 120 120` */
const parse =
  (inode: bigint) =>
  (line: string): Lock[] => {
    const parts = /^\d+: \w+ +\w+ +(READ|WRITE) +(-?\d+) +\w+:\w+:(\d+) +(\d+) +(\d+|EOF)$/.exec(line);
    const [, kind, pid, ino, from, to] = parts ?? [];
    if (ino === undefined || BigInt(ino) !== inode) return [];
    return [
      {
        kind: kind === "WRITE" ? "WRITE" : "READ",
        pid: Number(pid),
        from: Number(from),
        to: to === "EOF" ? Number.POSITIVE_INFINITY : Number(to),
      },
    ];
  };

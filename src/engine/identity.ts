/**
 * Who owns a lease, in a form that lets another process on the same machine tell for certain that the owner is
 * gone. "Gone" needs proof: same host, boot and process namespace, and no such process, or one that was started
 * at another time. Without proof the lease is waited out.
 */
import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface Identity {
  /** Unique for each engine, even for two in one process. */
  readonly owner: string;
  /** Short name for the journal: enough to see that another process took over. */
  readonly process: string;
  isGone(owner: string): boolean;
}

interface ProcessMark {
  machine: string;
  pid: number;
  started: string | null;
}

export function processIdentity(): Identity {
  const nonce = randomBytes(4).toString("hex");
  const machine = machineMark();
  const owner = [machine, process.pid, startOf(process.pid) ?? "", nonce].join("|");
  return {
    owner,
    process: `${process.pid}-${nonce.slice(0, 4)}`,
    isGone: (other) => other !== owner && isProvablyGone(parseOwner(other), machine),
  };
}

function isProvablyGone(mark: ProcessMark | null, machine: string): boolean {
  if (mark === null || mark.machine !== machine) return false;
  if (!exists(mark.pid)) return true;
  return mark.started !== null && mark.started !== startOf(mark.pid);
}

function parseOwner(owner: string): ProcessMark | null {
  const [machine, pid, started] = owner.split("|");
  if (machine === undefined || !pid || !Number.isInteger(Number(pid))) return null;
  return { machine, pid: Number(pid), started: started || null };
}

/** Host, boot and process namespace: only inside one of these do process ids mean the same thing. */
function machineMark(): string {
  return [hostname(), readOr("/proc/sys/kernel/random/boot_id"), linkOr("/proc/self/ns/pid")]
    .join("/")
    .replaceAll("|", "_");
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/** Clock ticks since boot at which the process started (proc_pid_stat(5), field 22), where /proc tells. */
function startOf(pid: number): string | null {
  const stat = readOr(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

function linkOr(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

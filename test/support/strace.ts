/** What a process asked of the kernel, in order: what it wrote to the log of its database, synced, and said. */
import { spawnSync } from "node:child_process";

/** Null where processes can be traced, otherwise why not. */
export function whyNoTrace(): string | null {
  if (process.platform !== "linux") return "needs Linux";
  const { error, status } = spawnSync("strace", ["-f", "-e", "trace=write", "-o", "/dev/null", "true"]);
  if (error) return "needs strace";
  return status === 0 ? null : "strace may not trace here";
}

/** The command to run a process under, so that `file` gets its trace. Page writes are shown whole, ids in them too. */
export function straceInto(file: string): string[] {
  const calls = "trace=pwrite64,fdatasync,fsync,write,writev,sendto,sendmsg";
  return ["strace", "-f", "-y", "-s", "65536", "-e", calls, "-e", "signal=none", "-o", file];
}

type Step =
  | { kind: "logged"; data: string }
  /** Everything logged before `begun` is on disk; `begun` counts steps. */
  | { kind: "synced"; begun: number }
  | { kind: "said"; data: string };

/** The steps of a trace in the order in which they happened; a sync happens when it comes back, and without error. */
function stepsIn(trace: string): Step[] {
  const steps: Step[] = [];
  /** Syncs of the log under way, by thread. */
  const syncing = new Map<string, number>();
  for (const line of trace.split("\n")) {
    const [, thread = "", call = "", rest = ""] = /^(\d+)\s+(<\.\.\. \w+ resumed>|\w+)(.*)$/.exec(line) ?? [];
    if (call === "fdatasync" || call === "fsync") {
      if (/-wal>/.test(rest)) syncing.set(thread, steps.length);
      if (!rest.endsWith("<unfinished ...>")) endSync(thread, rest);
    } else if (/^<\.\.\. f(data)?sync resumed>$/.test(call)) endSync(thread, rest);
    else if (call === "pwrite64") {
      if (/^\(\d+<[^>]*-wal>/.test(rest)) steps.push({ kind: "logged", data: rest });
    } else if (/^(write|writev|sendto|sendmsg)$/.test(call)) steps.push({ kind: "said", data: rest });
  }
  return steps;

  function endSync(thread: string, rest: string) {
    const begun = syncing.get(thread);
    syncing.delete(thread);
    if (begun !== undefined && /= 0$/.test(rest)) steps.push({ kind: "synced", begun });
  }
}

/** One thing that must be on disk before a message that has it may leave. */
export interface Debt {
  token: string;
  isMessage(data: string): boolean;
}

/** How often each debt's message left, and how often it did so before its token was on disk. */
export function messages(
  trace: string,
  debts: readonly Debt[],
): { token: string; left: number; early: number }[] {
  const steps = stepsIn(trace);
  return debts.map(({ token, isMessage }) => {
    const logged = steps.findIndex((step) => step.kind === "logged" && step.data.includes(token));
    const synced = steps.findIndex((step) => step.kind === "synced" && logged !== -1 && step.begun > logged);
    const left = steps.flatMap((step, at) =>
      step.kind === "said" && step.data.includes(token) && isMessage(step.data) ? [at] : [],
    );
    return { token, left: left.length, early: left.filter((at) => synced === -1 || at < synced).length };
  });
}

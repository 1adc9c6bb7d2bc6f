/** A server of somebody else's as a child process: started, listened to, ended for certain. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { until } from "../../support/world.ts";

export interface ServerProcess {
  /** Everything it printed, stdout and stderr, line by line. */
  readonly lines: readonly string[];
  /** Waits for a line that `pick` makes something of; a server that does not print one is stopped. */
  printed<T>(what: string, pick: (line: string) => T | null): Promise<T>;
  stop(): Promise<void>;
}

/** Java on a busy machine takes a while to start. */
const patienceMs = 60_000;
const stopMs = 5_000;

export function startProcess(command: string, args: readonly string[]): ServerProcess {
  const child = spawn(command, args, { cwd: tmpdir(), stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  let fault: Error | null = null;
  child.once("error", (error) => {
    fault = error;
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  }
  const orphaned = () => child.kill();
  process.once("exit", orphaned);

  function firstPicked<T>(pick: (line: string) => T | null): T | null {
    for (const line of lines) {
      const picked = pick(line);
      if (picked !== null) return picked;
    }
    return null;
  }

  async function printed<T>(what: string, pick: (line: string) => T | null): Promise<T> {
    try {
      return await until(what, () => firstPicked(pick) ?? stillComing(), patienceMs);
    } catch (error) {
      await stop();
      throw new Error(`${command} printed:\n${lines.slice(-20).join("\n")}`, { cause: error });
    }
  }

  function stillComing(): null {
    if (fault !== null) throw fault;
    if (isOver(child)) throw new Error(`${command} has ended.`);
    return null;
  }

  async function stop() {
    process.off("exit", orphaned);
    if (isOver(child) || fault !== null) return;
    const closed = once(child, "close");
    child.kill();
    const impatience = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await closed;
    clearTimeout(impatience);
  }

  return { lines, printed, stop };
}

function isOver(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

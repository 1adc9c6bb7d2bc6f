/** A server as hosts really start it: from any directory, through wrappers, with whatever is in the environment. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { type Said, said } from "./said.ts";
import { serverEnvironment, serverFile, toolResult } from "./stdio.ts";
import { temporaryDirectory, until, type World } from "./world.ts";

export interface Hosted {
  child: ChildProcess;
  /** Every line of standard output that ended, as it came. */
  lines(): string[];
  stderr(): string;
  send(message: Record<string, unknown>): void;
  /** The reply to a request, once it is there. */
  reply(id: number): Promise<Record<string, unknown>>;
  /** Connects by the handshake; its request has the id 0. */
  handshake(): Promise<void>;
  /** Its exit code and signal, and the milliseconds since `since`. */
  ended(since: number): Promise<{ code: number | null; signal: string | null; ms: number }>;
}

interface Start {
  command: readonly [string, ...string[]];
  env: Record<string, string>;
  cwd?: string;
  stdin?: "pipe" | "ignore";
}

export function startHosted({ command: [file, ...args], env, cwd, stdin = "pipe" }: Start): Hosted {
  const child = spawn(file, args, { env, stdio: [stdin, "pipe", "pipe"], ...(cwd !== undefined && { cwd }) });
  const exited = once(child, "exit");
  const stdout = collected(child.stdout);
  const stderr = collected(child.stderr);
  // Tests write to processes that are ending.
  child.stdin?.on("error", () => undefined);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const lines = () => stdout().split("\n").slice(0, -1);
  const replyTo = (id: number) => lines().flatMap((line) => messageOf(line, id));

  const hosted: Hosted = {
    child,
    lines,
    stderr,
    send: (message) => void writable(child).write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    reply: (id) => until(`request ${id} is answered (${stderr().slice(-500)})`, () => replyTo(id)[0], 20_000),
    async handshake() {
      const clientInfo = { name: "test-client", version: "1.0.0" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
      hosted.send({ id: 0, method: "initialize", params });
      await hosted.reply(0);
      hosted.send({ method: "notifications/initialized" });
    },
    async ended(since) {
      const [code, signal] = await exited;
      return { code, signal, ms: performance.now() - since };
    },
  };
  return hosted;
}

/** The server itself, in a directory and an environment of its own. */
export function hostedServer(
  here: World,
  env: Record<string, string> = {},
  cwd = temporaryDirectory(),
): Hosted {
  return startHosted({
    command: [process.execPath, serverFile, "serve"],
    env: serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir, env }),
    cwd,
  });
}

/** What the reply to a tool call says in both channels. */
export const outcomeOf = ({ result }: Record<string, unknown>): Said =>
  said(toolResult(result as Record<string, unknown>));

/** A call of a tool as a JSON-RPC request. */
export const toolCall = (id: number, name: string, args: Record<string, unknown>, meta = {}) => ({
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: meta },
});

/** Whether a process runs; one that ended and was not yet collected by anybody does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || fieldsOf(pid)[0] !== "Z";
  } catch {
    return false;
  }
}

/** Processor time a process has used, in ms (proc_pid_stat(5), fields 14 and 15, at 100 ticks a second). */
export function processorMs(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** From the state on, which is the third; what stands before it can hold spaces. */
function fieldsOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function messageOf(line: string, id: number): Record<string, unknown>[] {
  try {
    const message: Record<string, unknown> = JSON.parse(line);
    return message["id"] === id && !("method" in message) ? [message] : [];
  } catch {
    return [];
  }
}

function collected(stream: Readable | null): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

function writable({ stdin }: ChildProcess): Writable {
  if (stdin === null) throw new Error("this process was given no input to write to");
  return stdin;
}

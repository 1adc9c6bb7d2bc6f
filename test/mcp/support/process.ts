/** A server process over real pipes, spoken to in raw JSON-RPC so that a test sees every byte. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished, vi } from "vitest";

export type Message = Record<string, unknown>;

export const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

export interface ServerProcess {
  child: ChildProcessWithoutNullStreams;
  /** What came on standard output so far. */
  stdout(): string;
  stderr(): string;
  send(message: Message | string): void;
  /** The reply to a request with this id, once it is there. */
  reply(id: number | string): Promise<Message>;
  /** Connects as a handshake client and waits for the reply. */
  initialize(): Promise<void>;
  until(condition: () => boolean): Promise<unknown>;
  /** Waits for the end: its exit code, its signal, and the milliseconds since `since`. */
  ended(since: number): Promise<{ code: number | null; signal: string | null; ms: number }>;
}

export function startProcess(file: string, env: Record<string, string> = {}): ServerProcess {
  return watched(
    spawn(process.execPath, [file], { env: { PATH: process.env["PATH"], ...env }, stdio: "pipe" }),
  );
}

/**
 * A server whose input stays open whatever happens to the shell that started it: the pipe's other end is held by a
 * `sleep`. The process watched is that shell; standard output is held by it and by the server.
 */
export function startBehindShell(file: string, opening: Message): ServerProcess {
  const script = `{ printf '%s\\n' "$OPENING"; exec sleep 60; } | "$NODE" "$FILE"`;
  const env = {
    PATH: process.env["PATH"],
    NODE: process.execPath,
    FILE: file,
    OPENING: JSON.stringify(opening),
  };
  const shell = spawn("sh", ["-c", script], { env, stdio: "pipe", detached: true });
  onTestFinished(() => {
    // The group, since the sleep is nobody's child any more.
    if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
  });
  return watched(shell);
}

function watched(child: ChildProcessWithoutNullStreams): ServerProcess {
  const ended = once(child, "exit");
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // Tests write to processes that are ending.
  child.stdin.on("error", () => {});
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });

  const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 10_000, interval: 5 });
  const send = (message: Message | string) => {
    const text = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`${text}\n`);
  };
  const replyTo = (id: number | string) =>
    linesOf(stdout)
      .map((line): Message => JSON.parse(line))
      .find((message) => message["id"] === id);
  const reply = async (id: number | string) => {
    await until(() => replyTo(id) !== undefined);
    return replyTo(id) ?? {};
  };
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    send,
    reply,
    until,
    initialize: async () => {
      send({
        id: 0,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
        },
      });
      await reply(0);
      send({ method: "notifications/initialized" });
    },
    ended: async (since) => {
      const [code, signal] = await ended;
      return { code, signal, ms: performance.now() - since };
    },
  };
}

/** The complete lines of what came so far. */
export function linesOf(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

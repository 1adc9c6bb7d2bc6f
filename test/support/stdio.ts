/** The real server process over real pipes, spoken to in raw JSON-RPC so that a test sees every byte. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const builtFile = fileURLToPath(new URL("../../dist/claimcheck.js", import.meta.url));

/** The server under test: the built one, or the one that a suite installed from the packed tarball. */
export const serverFile = process.env["INSTALLED_CLAIMCHECK"] ?? builtFile;

/** Cannot be mistaken for a real one. */
export const testKey = "test-key-not-real";

export interface ToolResult {
  isError: boolean;
  structured: Record<string, unknown>;
  /** The text channel, which must say the same as the structured one. */
  text: string;
}

export interface Notification {
  method: string;
  params: Record<string, unknown>;
}

interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface StdioServer {
  readonly child: ChildProcessWithoutNullStreams;
  /** Every line the process wrote to stdout, as it came. */
  readonly lines: string[];
  readonly notifications: Notification[];
  stderr(): string;
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Sends without waiting, and gives the JSON-RPC id with the reply to come. */
  begin(method: string, params?: Record<string, unknown>): { id: number; reply: Promise<Message> };
  notify(method: string, params?: Record<string, unknown>): void;
  call(tool: string, args: Record<string, unknown>, meta?: Record<string, unknown>): Promise<ToolResult>;
  /** SIGKILL, as hosts do without warning; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Closes stdin, as hosts do when they are done; resolves with the exit code and the ms it took. */
  close(): Promise<{ code: number | null; ms: number }>;
}

export interface ServerOptions {
  /** The simulator's base URL. */
  upstream: string;
  dataDir: string;
  env?: Record<string, string>;
  clientName?: string;
  args?: string[];
  /** A command that the server runs under, such as a tracer, with its own arguments. */
  under?: readonly string[];
}

/** The smallest environment a host would give: nothing of this machine's leaks in. */
export function serverEnvironment({ upstream, dataDir, env = {} }: ServerOptions): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: dataDir,
    OPENAI_API_KEY: testKey,
    OPENAI_BASE_URL: upstream,
    OPENAI_MODEL: "gpt-test",
    CLAIMCHECK_DATA_DIR: dataDir,
    CLAIMCHECK_LOG_LEVEL: "warn",
    ...env,
  };
}

export async function startServer(options: ServerOptions): Promise<StdioServer> {
  const server = spawnServer(options);
  await server.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: options.clientName ?? "test-client", version: "1.0.0" },
  });
  server.notify("notifications/initialized");
  return server;
}

/** The process alone, before any opening message. */
export function spawnServer(options: ServerOptions): StdioServer {
  const serve = [process.execPath, serverFile, "serve", ...(options.args ?? [])];
  const [command = process.execPath, ...args] = [...(options.under ?? []), ...serve];
  const child = spawn(command, args, {
    env: serverEnvironment(options),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const lines: string[] = [];
  const notifications: Notification[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  let errors = "";
  let nextId = 1;
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
  });
  child.stdin.on("error", () => undefined);
  readLines(child, (line) => {
    lines.push(line);
    const message: Message = JSON.parse(line);
    if (message.method !== undefined)
      notifications.push({ method: message.method, params: message.params ?? {} });
    else if (typeof message.id === "number") waiting.get(message.id)?.(message);
  });
  const exited = once(child, "exit");

  function begin(method: string, params: Record<string, unknown> = {}) {
    const id = nextId++;
    const reply = new Promise<Message>((resolve, reject) => {
      waiting.set(id, resolve);
      void exited.then(() => reject(new Error(`the server ended before it answered ${method}: ${errors}`)));
    });
    reply.catch(() => undefined);
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return { id, reply };
  }

  async function request(method: string, params?: Record<string, unknown>) {
    const { result, error } = await begin(method, params).reply;
    if (error || !result) throw new Error(`${method} failed: ${JSON.stringify(error)}`);
    return result;
  }

  return {
    child,
    lines,
    notifications,
    stderr: () => errors,
    begin,
    request,
    notify: (method, params = {}) =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`),
    async call(tool, args, meta) {
      return toolResult(
        await request("tools/call", { name: tool, arguments: args, ...(meta && { _meta: meta }) }),
      );
    },
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async close() {
      const started = performance.now();
      child.stdin.end();
      const [code] = await exited;
      return { code, ms: performance.now() - started };
    },
  };
}

export function toolResult(result: Record<string, unknown>): ToolResult {
  const [first] = result["content"] as { text: string }[];
  return {
    isError: result["isError"] === true,
    structured: result["structuredContent"] as Record<string, unknown>,
    text: first?.text ?? "",
  };
}

function readLines(child: ChildProcessWithoutNullStreams, onLine: (line: string) => void) {
  let rest = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) if (line !== "") onLine(line);
  });
}

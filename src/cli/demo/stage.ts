/** What the demo plays on: a scripted upstream, a data directory, and server processes to be started and killed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as z from "zod";
import { requestStateSchema } from "../../../machines/snapshots.ts";
import { type Simulator, startSimulator } from "../../simulator/simulator.ts";
import { version } from "../version.ts";
import type { World } from "../world.ts";

/** What the demo reads of a result; the rest is the caller's. */
const replySchema = z.object({
  status: requestStateSchema,
  request_id: z.string(),
  session_id: z.string(),
  text: z.string().optional(),
  response_id: z.string().optional(),
  replayed: z.boolean().optional(),
  next: z.string(),
});
export type Reply = z.infer<typeof replySchema>;

export interface Server {
  readonly pid: number;
  call(tool: string, args: Record<string, unknown>): Promise<Reply>;
  /** SIGKILL: no warning, nothing to tidy up with. Resolves when the process is gone. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

export interface Stage {
  readonly upstream: Simulator;
  /** The environment the servers run in: none of the user's own settings, and a key that opens nothing. */
  readonly environment: Readonly<Record<string, string>>;
  startServer(): Promise<Server>;
  close(): Promise<void>;
}

export async function setStage({ program, environment }: World): Promise<Stage> {
  const upstream = await startSimulator();
  const directory = mkdtempSync(join(tmpdir(), "claimcheck-demo-"));
  const ours = {
    ...inherited(environment),
    OPENAI_API_KEY: "demo-key-that-opens-nothing",
    OPENAI_BASE_URL: upstream.url,
    OPENAI_MODEL: "demo-model",
    CLAIMCHECK_DATA_DIR: directory,
    CLAIMCHECK_LEASE_MS: "2000",
    CLAIMCHECK_LOG_LEVEL: "silent",
  };
  const servers: Server[] = [];
  return {
    upstream,
    environment: ours,
    async startServer() {
      const server = await connect(program, ours);
      servers.push(server);
      return server;
    },
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      await upstream.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** What any process needs to start, Windows included. */
function inherited(environment: World["environment"]): Record<string, string> {
  const names = [
    "PATH",
    "HOME",
    "XDG_CACHE_HOME",
    "TMPDIR",
    "TEMP",
    "SystemRoot",
    "USERPROFILE",
    "LOCALAPPDATA",
  ];
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

async function connect(program: World["program"], env: Record<string, string>): Promise<Server> {
  const transport = new StdioClientTransport({
    command: program.node,
    args: [program.script, "serve"],
    env,
    stderr: "inherit",
  });
  const client = new Client(
    { name: "claimcheck-demo", version },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const gone = new Promise<void>((resolve) => {
    client.onclose = resolve;
  });
  await client.connect(transport);
  const { pid } = transport;
  if (pid === null) throw new Error("The server process has no id.");
  return {
    pid,
    async call(tool, args) {
      const { structuredContent } = await client.callTool({ name: tool, arguments: args });
      return replySchema.parse(structuredContent);
    },
    async kill() {
      process.kill(pid, "SIGKILL");
      await gone;
    },
    close: () => client.close(),
  };
}

/** The clients that hosts embed, each with the server under test in a process of its own. */
import { chmodSync, readdirSync } from "node:fs";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { serverEnvironment, serverFile, type ToolResult, toolResult } from "../support/stdio.ts";
import { temporaryDirectory, type World } from "../support/world.ts";

export const clientKinds = ["v1 client", "v2 client, handshake", "v2 client, modern"] as const;
export type ClientKind = (typeof clientKinds)[number];

export interface Heard {
  progress: number;
  message?: string | undefined;
}

export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: Heard) => void;
}

export interface Connected {
  /** How the two agreed to speak; the v1 client knows only one way. */
  era: string | undefined;
  instructions: string | undefined;
  /** Process id of the server. */
  pid: number;
  toolNames(): Promise<string[]>;
  /** The SDK checks the result against the listed output schema, once the tools were listed. */
  call(tool: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  close(): Promise<void>;
}

const identity = { name: "interop", version: "1.0.0" };
const resultShape = z.record(z.string(), z.unknown());

export async function connect(
  kind: ClientKind,
  here: World,
  more: Record<string, string> = {},
): Promise<Connected> {
  const env = serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir, env: more });
  const args = [serverFile, "serve"];
  const command = { command: process.execPath, args, env, cwd: bareFolder(), stderr: "ignore" as const };
  const connected = await (kind === "v1 client" ? legacy(command) : modern(kind, command));
  onTestFinished(() => connected.close());
  return connected;
}

/** Hosts start servers wherever they stand: here nothing can be read, and nothing may be left. */
function bareFolder(): string {
  const folder = temporaryDirectory();
  chmodSync(folder, 0o555);
  onTestFinished(() => expect(readdirSync(folder), "left where the server was started").toEqual([]));
  return folder;
}

type Command = ConstructorParameters<typeof LegacyStdio>[0];

async function legacy(command: Command): Promise<Connected> {
  const transport = new LegacyStdio(command);
  const client = new LegacyClient(identity);
  await client.connect(transport);
  return {
    era: "legacy",
    instructions: client.getInstructions(),
    pid: pidOf(transport),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, options = {}) =>
      toolResult(resultShape.parse(await client.callTool({ name, arguments: args }, undefined, options))),
    close: () => client.close(),
  };
}

async function modern(kind: ClientKind, command: Command): Promise<Connected> {
  const transport = new ModernStdio(command);
  const mode = kind === "v2 client, modern" ? "auto" : "legacy";
  const client = new ModernClient(identity, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    era: client.getProtocolEra(),
    instructions: client.getInstructions(),
    pid: pidOf(transport),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args, options = {}) =>
      toolResult(resultShape.parse(await client.callTool({ name, arguments: args }, options))),
    close: () => client.close(),
  };
}

function pidOf({ pid }: { pid: number | null }): number {
  if (pid === null) throw new Error("the client started no server");
  return pid;
}

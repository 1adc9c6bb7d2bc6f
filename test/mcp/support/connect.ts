/** A real client of each kind, connected to our server over memory; what goes over the wire is kept. */
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport, type JSONRPCMessage } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import type { Engine } from "../../../src/engine/engine.ts";
import type { LogFacts } from "../../../src/mcp/log.ts";
import { createMcpServer } from "../../../src/mcp/server.ts";
import { fakeEngine } from "./fake-engine.ts";
import { allTools } from "./tools.ts";

/** `v1` is the client that legacy hosts embed; `handshake` and `modern` are the two eras of the current one. */
export const clientKinds = ["v1", "handshake", "modern"] as const;
export type ClientKind = (typeof clientKinds)[number];

export interface Options {
  kind?: ClientKind;
  engine?: Engine | (() => Promise<Engine>);
  clientName?: string;
  waitMs?: number;
}

export interface LogLine extends LogFacts {
  level: string;
  event: string;
}

export interface Reply {
  isError: boolean;
  structured: Record<string, unknown>;
  text: string;
}

export async function connect(options: Options = {}) {
  const { kind = "modern", engine = fakeEngine(), clientName = "test-client", waitMs } = options;
  const [serverSide, clientSide] = InMemoryTransport.createLinkedPair();
  const logged: LogLine[] = [];
  const sent = recordSent(serverSide);
  const server = serveStdio(
    ({ era }) =>
      createMcpServer(
        {
          tools: allTools,
          engine: typeof engine === "function" ? engine : async () => engine,
          waitMs,
          log: (level, event, facts) => logged.push({ level, event, ...facts }),
          version: "0.0.0",
          monotonicMs: () => 0,
          newId: () => "incident-1",
        },
        era,
      ),
    { transport: serverSide },
  );
  const client = clientOf(kind, clientName);
  await client.connect(clientSide);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });

  /** The tool's reply, whatever it is; rejects on a protocol error. */
  async function call(tool: string, args: Record<string, unknown>, options: object = {}): Promise<Reply> {
    const params = { name: tool, arguments: args };
    const result: unknown =
      client instanceof LegacyClient
        ? await client.callTool(params, undefined, options)
        : await client.callTool(params, options);
    return replyOf(result);
  }

  return { client, call, sent, logged };
}

function clientOf(kind: ClientKind, name: string) {
  const identity = { name, version: "1.0.0" };
  if (kind === "v1") return new LegacyClient(identity);
  return new ModernClient(identity, {
    versionNegotiation: { mode: kind === "modern" ? "auto" : "legacy" },
  });
}

/** Every message our side puts on the wire, in order. */
function recordSent(transport: InMemoryTransport): JSONRPCMessage[] {
  const sent: JSONRPCMessage[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    sent.push(message);
    return send(message, options);
  };
  return sent;
}

export function replyOf(result: unknown): Reply {
  const { content, structuredContent, isError } = result as {
    content: { type: string; text: string }[];
    structuredContent: Record<string, unknown>;
    isError?: boolean;
  };
  const [first, ...more] = content;
  if (first?.type !== "text" || more.length > 0) throw new Error("a reply has exactly one text");
  return { isError: isError === true, structured: structuredContent, text: first.text };
}

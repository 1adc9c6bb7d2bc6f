/** One server spoken to in either era of the protocol, in raw JSON-RPC. */
import { onTestFinished } from "vitest";
import { type ServerOptions, type StdioServer, spawnServer, type ToolResult, toolResult } from "./stdio.ts";
import type { World } from "./world.ts";

/** The newest revision that opens with a handshake, and the first one that does not. */
export const eras = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof eras)[number];

export interface EraClient {
  server: StdioServer;
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Sends a call without waiting: its JSON-RPC id and the reply to come. */
  begin(
    tool: string,
    args: unknown,
    meta?: Record<string, unknown>,
  ): { id: number; reply: Promise<ToolResult> };
  call(tool: string, args: unknown, meta?: Record<string, unknown>): Promise<ToolResult>;
}

export async function openIn(
  era: Era,
  world: World,
  options: Partial<ServerOptions> = {},
): Promise<EraClient> {
  const server = spawnServer({ upstream: world.sim.url, dataDir: world.dataDir, ...options });
  onTestFinished(() => server.kill());
  const identity = { name: options.clientName ?? "test-client", version: "1.0.0" };
  const everyRequest = era === "2026-07-28" ? envelope(identity) : {};
  if (era === "2025-11-25") {
    await server.request("initialize", { protocolVersion: era, capabilities: {}, clientInfo: identity });
    server.notify("notifications/initialized");
  } else {
    await server.request("server/discover", { _meta: everyRequest });
  }
  const withMeta = (params: object = {}, meta: object = {}) => ({
    ...params,
    _meta: { ...everyRequest, ...meta },
  });

  function begin(tool: string, args: unknown, meta?: Record<string, unknown>) {
    const { id, reply } = server.begin("tools/call", withMeta({ name: tool, arguments: args }, meta));
    const told = reply.then(({ result, error }) => toolResult(result ?? protocolError(tool, error)));
    // A reply that nobody waits for may never come.
    told.catch(() => undefined);
    return { id, reply: told };
  }

  return {
    server,
    request: (method, params) => server.request(method, withMeta(params)),
    begin,
    call: (tool, args, meta) => begin(tool, args, meta).reply,
  };
}

/** What every request carries since 2026-07-28, in its `_meta`. */
export function envelope(identity: { name: string; version: string }) {
  return {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": identity,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
}

function protocolError(tool: string, error: unknown): never {
  throw new Error(`${tool} was answered with a protocol error: ${JSON.stringify(error)}`);
}

import { Server } from "@modelcontextprotocol/server";
import { instructions } from "./instructions.ts";
import { serveTools, type ToolParts } from "./serve-tools.ts";

export interface McpParts extends ToolParts {
  version: string;
}

/** What is listed never changes while a process lives; five minutes spare hosts from asking for it all the time. */
const listsMayBeKept = { ttlMs: 300_000, cacheScope: "public" } as const;

/**
 * An MCP server for one connection, in whichever era of the protocol its transport speaks. Making one is cheap and
 * touches nothing: some transports make one for each request.
 */
export function createMcpServer(parts: McpParts): Server {
  const server = new Server(
    { name: "claimcheck", title: "claimcheck", version: parts.version },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { "tools/list": listsMayBeKept, "server/discover": listsMayBeKept },
    },
  );
  serveTools(server, parts);
  return server;
}

import { type ProtocolEra, Server } from "@modelcontextprotocol/server";
import { serveCompletion } from "./completion.ts";
import { instructionsFor } from "./instructions.ts";
import { servePrompts } from "./prompts/serve-prompts.ts";
import { serveResources } from "./resources/serve-resources.ts";
import { serveTools, type ToolParts } from "./serve-tools.ts";
import { serveTasks } from "./tasks/serve-tasks.ts";

export interface McpParts extends ToolParts {
  version: string;
}

/** What is listed never changes while a process lives; five minutes spare hosts from asking for it all the time. */
const listsMayBeKept = { ttlMs: 300_000, cacheScope: "public" } as const;
/** Requests and sessions change from one moment to the next, and are this user's own. */
const notKept = { ttlMs: 0, cacheScope: "private" } as const;

/** Which tools, resources and prompts there are stays; what a resource says does not, and can be followed. */
const capabilities = {
  tools: {},
  resources: { subscribe: true, listChanged: false },
  prompts: { listChanged: false },
  completions: {},
};

/**
 * An MCP server for one connection, in whichever era of the protocol its transport speaks. Making one is cheap and
 * touches nothing: some transports make one for each request.
 */
export function createMcpServer(parts: McpParts, era: ProtocolEra): Server {
  const server = new Server(
    { name: "claimcheck", title: "claimcheck", version: parts.version },
    {
      capabilities,
      instructions: instructionsFor(parts.tools.map(({ name }) => name)),
      cacheHints: {
        "tools/list": listsMayBeKept,
        "prompts/list": listsMayBeKept,
        "resources/templates/list": listsMayBeKept,
        "server/discover": listsMayBeKept,
        "resources/list": notKept,
        "resources/read": notKept,
      },
    },
  );
  serveTools(server, parts, era);
  serveResources(server, parts, era);
  servePrompts(server, parts);
  serveCompletion(server, parts);
  if (era === "modern") serveTasks(server, parts);
  return server;
}

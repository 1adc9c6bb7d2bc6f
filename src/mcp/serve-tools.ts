import {
  type ProtocolEra,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
} from "@modelcontextprotocol/server";
import { clientBehind } from "./client.ts";
import { nearestName } from "./nearest-name.ts";
import type { Tool } from "./tool.ts";
import { type CallParts, callTool } from "./tool-call.ts";

export interface ToolParts extends CallParts {
  tools: readonly Tool[];
}

/** Lists the tools and calls them. */
export function serveTools(server: Server, parts: ToolParts, era: ProtocolEra): void {
  server.setRequestHandler("tools/list", () => ({ tools: parts.tools.map((tool) => tool.listed()) }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq: request }) => {
    const tool = toolNamed(params.name, parts.tools);
    return callTool(parts, {
      tool,
      given: params.arguments,
      client: clientBehind(server, era, request),
      request,
    });
  });
}

function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((candidate) => candidate.name);
  const meant = nearestName(name, names);
  const hint = meant === undefined ? `There are ${names.join(", ")}.` : `Did you mean "${meant}"?`;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No tool "${name.slice(0, 64)}" here. ${hint}`);
}

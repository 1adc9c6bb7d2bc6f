import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { nearestName } from "./nearest-name.ts";
import type { Tool } from "./tool.ts";
import { type CallParts, callTool } from "./tool-call.ts";

export interface ToolParts extends CallParts {
  tools: readonly Tool[];
}

/** Lists the tools and calls them. */
export function serveTools(server: Server, parts: ToolParts): void {
  server.setRequestHandler("tools/list", () => ({ tools: parts.tools.map((tool) => tool.listed()) }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq: request }) => {
    const tool = toolNamed(params.name, parts.tools);
    return callTool(parts, { tool, given: params.arguments, host: hostOf(server, request), request });
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

const envelopeShape = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }) });

/** Since 2026-07-28 a client says who it is with every request, before that once, when it connects. */
function hostOf(server: Server, { envelope }: ServerContext["mcpReq"]): string | undefined {
  const said = envelopeShape.safeParse(envelope);
  return said.success ? said.data[CLIENT_INFO_META_KEY].name : server.getClientVersion()?.name;
}

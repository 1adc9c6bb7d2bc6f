/** What a tool said, once it is sure that both of its channels say the same. */
import { expect } from "vitest";
import type { StdioServer, ToolResult } from "./stdio.ts";

export type Told = Record<string, unknown> & { isError: boolean };

/** The outcome a result carries; some hosts show only its text, others only its structured part. */
export function told(result: ToolResult): Told {
  expect(JSON.parse(result.text)).toEqual(result.structured);
  expect(result.structured).toMatchObject({ status: expect.any(String), next: expect.any(String) });
  return { ...result.structured, isError: result.isError };
}

/** A tool call and what it told. A test may begin one and end, or fail, before it hears the reply. */
export function tell(server: StdioServer, tool: string, args: Record<string, unknown>): Promise<Told> {
  const reply = server.call(tool, args).then(told);
  reply.catch(() => undefined);
  return reply;
}

/** What a tool said, in the one form in which the cases look at it. */
import { expect } from "vitest";
import { type Said, said } from "./said.ts";
import type { StdioServer, ToolResult } from "./stdio.ts";

export type Told = Said & { isError: boolean };

/** The outcome as both channels have it, with the next step, and whether the host is told that it is an error. */
export function told(result: ToolResult): Told {
  const outcome = said(result);
  expect(outcome).toMatchObject({ status: expect.any(String), next: expect.any(String) });
  return { ...outcome, isError: result.isError };
}

/** A tool call and what it told. A test may begin one and end, or fail, before it hears the reply. */
export function tell(server: StdioServer, tool: string, args: Record<string, unknown>): Promise<Told> {
  const reply = server.call(tool, args).then(told);
  reply.catch(() => undefined);
  return reply;
}

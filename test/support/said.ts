/** What a result says, channel by channel: hosts show a model either one, never both. */
import { expect } from "vitest";
import type { ToolResult } from "./stdio.ts";

export type Said = Record<string, unknown>;

/** The text channel alone, as a model reads it. */
export const textOf = (result: ToolResult): Said => JSON.parse(result.text);

/** What both channels say; fails where they differ. */
export function said(result: ToolResult): Said {
  expect(textOf(result)).toEqual(result.structured);
  return result.structured;
}

/** An error in both channels, with its code; complete enough to act on. */
export function refusal(result: ToolResult, code: string): Said {
  const body = said(result);
  expect({ isError: result.isError, status: body["status"], code: body["code"] }, result.text).toEqual({
    isError: true,
    status: "error",
    code,
  });
  expect(String(body["message"]).length, result.text).toBeGreaterThan(20);
  expect(String(body["next"]).length, result.text).toBeGreaterThan(20);
  return body;
}

export interface Step {
  tool: string;
  args: Record<string, unknown>;
}

/** The exact calls that a `next` names, in order: `answers {"action":"wait",…}`. */
export function stepsIn(next: unknown): Step[] {
  const calls = String(next).matchAll(/\b(chat|answers|sessions|request_status) (\{.*?\})(?=[^"}]|$)/g);
  return [...calls].map(([, tool = "", args = "{}"]) => ({ tool, args: JSON.parse(args) }));
}

/** The first of them. */
export function stepIn(next: unknown): Step {
  const [first] = stepsIn(next);
  if (first === undefined) throw new Error(`no call to make in: ${String(next)}`);
  return first;
}

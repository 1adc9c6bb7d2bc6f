/** Long answers: made so that paging has every chance to go wrong, and read page by page. */
import { expect } from "vitest";
import { said, stepIn } from "./said.ts";
import type { ToolResult } from "./stdio.ts";

interface Caller {
  call(tool: string, args: Record<string, unknown>): Promise<ToolResult>;
}

/** Makes a call and follows the exact next call of every page to the last one. */
export async function pagesOf(
  client: Caller,
  tool: string,
  args: Record<string, unknown>,
): Promise<string[]> {
  let page = said(await client.call(tool, args));
  const pages = [String(page["text"])];
  while (page["next_offset"] !== undefined) {
    const next = stepIn(page["next"]);
    expect(next).toEqual({
      tool: "answers",
      args: { action: "read", request_id: page["request_id"], offset: page["next_offset"] },
    });
    const result = await client.call(next.tool, next.args);
    expect(result.isError).toBe(false);
    page = said(result);
    pages.push(String(page["text"]));
  }
  return pages;
}

/**
 * A text of `length` UTF-16 units in which every page of at most `page` units ends between the two halves of a
 * character: emoji, with a letter and the accent that combines with it where a page begins.
 *
 * @param page an even number of units
 */
export function splitEverywhere(length: number, page: number): string {
  // A page that gives back half a character is one unit shorter, so each later one begins with a whole character.
  const first = `e\u0301a${"🎟".repeat(page / 2 - 2)}`;
  const later = `🎟e\u0301x${"🧥".repeat(page / 2 - 3)}`;
  const whole = first + later.repeat(Math.ceil(length / later.length));
  return whole.slice(0, length).replace(/\p{Surrogate}$/u, "z");
}

/**
 * What a host does with a long result. Claude Code warns over 10,000 tokens and puts what is over 50,000 characters
 * into a file (anthropics/claude-code#47631); Codex keeps about 40,000 bytes, the beginning and the end of them, and
 * drops the middle (openai/codex#14466).
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { eras, openIn } from "../support/eras.ts";
import { untilRow } from "../support/request-row.ts";
import { said, stepIn } from "../support/said.ts";
import type { ToolResult } from "../support/stdio.ts";
import { type World, world } from "../support/world.ts";

const hostChars = 50_000;
const hostTokens = 10_000;

const folder = new URL("../../src/engine/", import.meta.url);
const code = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
const document = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** What answers are mostly made of. */
const usual: [string, string][] = [
  ["prose", document("SPEC.md")],
  ["code", code.join("\n")],
  ["JSON", document("test/machine/golden/request.v1.json")],
];

/** Text that costs more of a host's room than it has characters: by tokens, by bytes, by what JSON escapes. */
const costly: [string, string][] = [
  ["quotation marks alone", '"'.repeat(48_000)],
  ["line ends alone", "\n".repeat(48_000)],
  ["Chinese", "請求的生命週期由狀態機決定，答案一旦付費就不會遺失。".repeat(2_000)],
  ["emoji alone", "🎟🧥".repeat(12_000)],
  ["base64", Buffer.from(code.join("\n")).toString("base64")],
];

/** A first page of the usual size, of an answer that has more. */
async function firstPage(here: World, text: string): Promise<ToolResult> {
  const { call } = await openIn("2025-11-25", here);
  here.sim.script({ scenario: { output: { text: text.slice(0, 48_000), deltaChars: 4_000 } } });
  const result = await call("chat", { message: "Much." });
  expect(said(result)).toMatchObject({ status: "completed", next_offset: expect.any(Number) });
  expect(String(said(result)["text"]).length).toBeGreaterThan(23_990);
  return result;
}

/** Each channel as a host has it. */
const channels = ({ text, structured }: ToolResult) => [text, JSON.stringify(structured)];

test.each(usual)("a page of %s stays below what any host cuts or warns of", async (_, text) => {
  for (const channel of channels(await firstPage(await world(), text))) {
    expect(channel.length).toBeLessThan(hostChars);
    expect(countTokens(channel)).toBeLessThan(hostTokens);
  }
});

test.each(costly)(
  "a page of %s still is below 50,000 characters, and where its middle is dropped, its beginning says how to go on",
  async (_, text) => {
    const result = await firstPage(await world(), text);
    const { status, request_id, next_offset } = said(result);
    for (const channel of channels(result)) {
      expect(channel.length).toBeLessThan(hostChars);
      const beginning = channel.slice(0, 600);
      expect(beginning).toContain(`"status":"${status}"`);
      expect(beginning).toContain(`"request_id":"${request_id}"`);
      const [, next = ""] = /"next":("(?:[^"\\]|\\.)*")/.exec(beginning) ?? [];
      expect(stepIn(JSON.parse(next))).toEqual({
        tool: "answers",
        args: { action: "read", request_id, offset: next_offset },
      });
    }
  },
);

test.each(eras)("what the middle lost is read again from any offset, in the era of %s", async (era) => {
  const here = await world();
  const text = document("SPEC.md").slice(0, 30_000);
  const { call } = await openIn(era, here);
  here.sim.script({ scenario: { output: { text, deltaChars: 4_000 } } });
  const { request_id } = said(await call("chat", { message: "Much." }));

  const middle = said(await call("answers", { action: "read", request_id, offset: 9_000 }));

  expect(middle).toMatchObject({ offset: 9_000, text: text.slice(9_000, 33_000), total_chars: text.length });
  expect(here.sim.ledger.posts).toBe(1);
});

test("lists of the usual length stay below it too, whatever there is to list", async () => {
  const here = await world();
  const { call } = await openIn("2026-07-28", here);
  const { session_id } = said(await call("chat", { message: "Turn 1." }));
  for (let turn = 2; turn <= 21; turn += 1) await call("chat", { message: `Turn ${turn}.`, session_id });
  for (let unread = 1; unread <= 21; unread += 1) {
    const request_id = randomUUID();
    await call("chat", { message: `Unread ${unread}.`, request_id, wait_ms: 0 });
    await untilRow(here.dataDir, request_id, "is finished", ({ finished }) => finished === 1);
  }
  const lists: [string, Record<string, unknown>, string][] = [
    ["answers", { action: "history", session_id }, "requests"],
    ["answers", { action: "inbox" }, "unread"],
    ["sessions", { operation: "list" }, "sessions"],
  ];

  for (const [tool, args, key] of lists) {
    const result = await call(tool, args);
    expect(said(result)[key], key).toHaveLength(20);
    for (const channel of channels(result)) {
      expect(channel.length, key).toBeLessThan(hostChars);
      expect(countTokens(channel), key).toBeLessThan(hostTokens);
    }
  }
}, 40_000);

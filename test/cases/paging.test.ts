/** A long answer comes in pages that are, put together, the answer: byte for byte, no character split. */
import { createHash, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { pagesOf, splitEverywhere } from "../support/pages.ts";
import { requestRow } from "../support/request-row.ts";
import { said } from "../support/said.ts";
import { type World, world } from "../support/world.ts";

const MiB = 1_048_576;
const loneSurrogate = /\p{Surrogate}/u;

/** What upstream really said: the text of the response as a retrieval shows it. */
async function upstreamText({ sim }: World, responseId: unknown): Promise<string> {
  const reply = await fetch(`${sim.url}/responses/${responseId}`, {
    headers: { authorization: "Bearer any" },
  });
  const shape = z.object({
    output: z.array(z.object({ content: z.array(z.object({ text: z.string() })).optional() })),
  });
  const { output } = shape.parse(await reply.json());
  return output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join("");
}

const bytes = (text: string) => Buffer.from(text, "utf8");
const digest = (text: string) => createHash("sha256").update(bytes(text)).digest("hex");

describe("400,000 characters, emoji among them", () => {
  const long = { output: { text: { chars: 400_000 }, deltaChars: 4_000 } };
  /** Every page of the usual size would end inside a character; of the other one, every page of an odd size. */
  const tickets = { output: { text: splitEverywhere(400_000, 24_000), deltaChars: 4_001 } };
  const evens = { output: { text: `a${"🎟".repeat(199_999)}b`, deltaChars: 4_001 } };

  test.each([
    ["the usual pages", long, {}],
    ["the usual pages, character by character", tickets, {}],
    ["pages of an odd size", long, { CLAIMCHECK_PAGE_CHARS: "10007" }],
    ["pages of an odd size, character by character", evens, { CLAIMCHECK_PAGE_CHARS: "10007" }],
    ["one page", long, { CLAIMCHECK_PAGE_CHARS: "500000" }],
  ])("come back byte for byte in %s", async (_, scenario, env) => {
    const here = await world();
    const server = await here.server({ env: { CLAIMCHECK_MAX_RESULT_BYTES: String(4 * MiB), ...env } });
    const id = randomUUID();
    here.sim.script({ scenario });
    const first = said(await server.call("chat", { message: "Write a book.", request_id: id }));
    expect(first).toMatchObject({ status: "completed", total_chars: 400_000, warnings: [] });
    expect(first).not.toHaveProperty("truncated");

    const pages = await pagesOf(server, "answers", { action: "wait", request_id: id });

    const original = await upstreamText(here, first["response_id"]);
    expect(original).toMatch(/\p{Extended_Pictographic}/u);
    expect(digest(pages.join(""))).toBe(digest(original));
    for (const page of pages) expect(loneSurrogate.test(page)).toBe(false);
    const limit = Number("CLAIMCHECK_PAGE_CHARS" in env ? env.CLAIMCHECK_PAGE_CHARS : 24_000);
    expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(limit);
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("come from a process that never saw them arrive, too", async () => {
    const here = await world();
    const env = { CLAIMCHECK_MAX_RESULT_BYTES: String(4 * MiB) };
    const writer = await here.server({ env });
    const id = randomUUID();
    here.sim.script({ scenario: long });
    const first = said(
      await writer.call("chat", { message: "Write a book.", request_id: id, wait_ms: 30_000 }),
    );
    await writer.kill();

    const pages = await pagesOf(await here.server({ env }), "answers", { action: "wait", request_id: id });

    expect(digest(pages.join(""))).toBe(digest(await upstreamText(here, first["response_id"])));
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("are kept up to half the result limit where it was not raised, and that is said", async () => {
    const here = await world();
    const server = await here.server();
    const id = randomUUID();
    here.sim.script({ scenario: { output: { text: { chars: 700_000 }, deltaChars: 4_000 } } });

    const first = said(await server.call("chat", { message: "Write a longer one.", request_id: id }));

    expect(first).toMatchObject({ status: "completed", truncated: true, full_chars: 700_000 });
    expect(first["warnings"]).toContain("truncated");
    const kept = (await pagesOf(server, "answers", { action: "wait", request_id: id })).join("");
    const original = await upstreamText(here, first["response_id"]);
    expect(original.startsWith(kept)).toBe(true);
    expect(bytes(kept).length).toBeLessThanOrEqual(MiB / 2);
    expect(bytes(kept).length).toBeGreaterThan(MiB / 2 - 8);
    expect(kept.length).toBe(first["total_chars"]);
    expect(requestRow(here.dataDir, id)).toMatchObject({ state: "completed", finished: 1 });
    expect(here.sim.ledger.posts).toBe(1);
  });
});

describe("an offset", () => {
  const text = "ab🎟️c".repeat(400);

  async function asked() {
    const here = await world();
    const server = await here.server({ env: { CLAIMCHECK_PAGE_CHARS: "1000" } });
    here.sim.script({ scenario: { output: { text } } });
    const { request_id } = said(await server.call("chat", { message: "Tickets." }));
    return { here, read: (offset: number) => server.call("answers", { action: "read", request_id, offset }) };
  }

  test("inside a character is moved to its beginning", async () => {
    const { read } = await asked();
    // The ticket's two halves are units 2 and 3.
    expect(said(await read(3))).toMatchObject({ offset: 2, text: expect.stringMatching(/^🎟/) });
  });

  test("past the end gives no text and no error", async () => {
    const { read } = await asked();
    for (const offset of [text.length, text.length + 1, Number.MAX_SAFE_INTEGER]) {
      const result = await read(offset);
      expect(result.isError).toBe(false);
      expect(said(result)).toMatchObject({ text: "", total_chars: text.length });
      expect(said(result)).not.toHaveProperty("next_offset");
    }
  });

  test("of any page at all begins where that page begins, and no page is empty before the end", async () => {
    const { here, read } = await asked();
    for (const offset of [0, 1, 2, 999, 1_000, 1_001, 1_998]) {
      const page = said(await read(offset));
      const start = Number(page["offset"]);
      expect(offset - start).toBeLessThanOrEqual(1);
      expect(text.slice(start).startsWith(String(page["text"]))).toBe(true);
      expect(String(page["text"]).length).toBeGreaterThan(0);
    }
    expect(here.sim.ledger.posts).toBe(1);
  });
});

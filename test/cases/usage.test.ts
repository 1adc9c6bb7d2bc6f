/** What was used, told from the database: tokens, cost where prices are given, and what was not paid twice. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { untilRow } from "../support/request-row.ts";
import { serverEnvironment, serverFile } from "../support/stdio.ts";
import { tell } from "../support/told.ts";
import { temporaryDirectory, world } from "../support/world.ts";

const prices = {
  currency: "EUR",
  models: { "gpt-test": { input: "1000000", output: "2000000" } },
};

function priceFile(content: unknown): string {
  const file = join(temporaryDirectory(), "prices.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

async function here() {
  const { sim, dataDir, server } = await world();
  const run = (args: string[], env = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [serverFile, "usage", ...args], {
      encoding: "utf8",
      env: serverEnvironment({ upstream: sim.url, dataDir, env }),
      timeout: 20_000,
    });
    return { code: status, stdout, stderr };
  };
  return { sim, dataDir, server, run };
}

describe("claimcheck usage", () => {
  test("adds up what was asked, by tool, and says what was not paid twice", async () => {
    const { sim, dataDir, server, run } = await here();
    const first = await server();
    const asked = { message: "Hello there.", request_id: randomUUID() };
    const answer = await tell(first, "chat", asked);
    await tell(first, "chat", asked);
    await tell(first, "chat", asked);
    await tell(first, "review_plan", { question: "Good?" });
    const cutOff = randomUUID();
    sim.script({ scenario: "hold_mid_text" });
    await tell(first, "chat", { message: "Hold me.", request_id: cutOff, wait_ms: 0 });
    await untilRow(dataDir, cutOff, "is streaming", ({ state }) => state === "streaming");
    await first.kill();
    sim.release();
    await tell(await server(), "answers", { action: "wait", request_id: cutOff });

    const told = JSON.parse(run(["--by", "tool", "--json"]).stdout);

    expect(told.total).toMatchObject({ requests: 3, not_paid_twice: { replays: 2, recoveries: 1 } });
    expect(
      told.groups.map(({ key, requests }: { key: string; requests: number }) => [key, requests]),
    ).toEqual([
      ["chat", 2],
      ["review_plan", 1],
    ]);
    const usage = Object(answer["usage"]);
    const request = JSON.parse(run(["--by", "request", "--json", "--tool", "chat"]).stdout).groups[0];
    expect(request).toMatchObject({ input_tokens: usage.input_tokens, output_tokens: usage.output_tokens });
    const page = run(["--by", "tool", "--ascii"]).stdout;
    expect(page).toContain("Not paid twice: 2 replays, 1 recovery.");
    expect(page).not.toContain("Cost");
    expect(page.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("says what it cost, with a price file, in results too; and unknown where that is unknown", async () => {
    const { server, run } = await here();
    const env = { CLAIMCHECK_PRICES: priceFile(prices) };
    const asking = await server({ env });
    const answer = await tell(asking, "chat", { message: "Hello there." });
    const usage = Object(answer["usage"]);
    const amount = `${usage.input_tokens + 2 * usage.output_tokens}.000000`;
    expect(answer["cost"]).toEqual({ currency: "EUR", amount });
    const other = await tell(asking, "chat", { message: "Hello there.", model: "gpt-unpriced" });
    expect(other["cost"]).toEqual({ currency: "EUR", amount: "unknown", reason: "no_price" });
    const session = await tell(asking, "sessions", { operation: "get", session_id: answer["session_id"] });
    expect(session["usage"]).toMatchObject({ requests: 1, cost: { currency: "EUR", amount } });

    const told = JSON.parse(run(["--by", "model", "--json"], env).stdout);

    expect(told.total.cost).toEqual({ currency: "EUR", amount, unknown_requests: { no_price: 1 } });
    const page = run(["--by", "model"], env).stdout;
    expect(page).toContain(`>= ${amount}`);
    expect(page).toMatch(/no price for the model: 1 request\./);
    expect(page.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test("has no word of cost without prices", async () => {
    const { server, run } = await here();
    const answer = await tell(await server(), "chat", { message: "Hello there." });
    expect(answer).not.toHaveProperty("cost");
    expect(run(["--json"]).stdout).not.toContain("cost");
  });

  test("looks at the days and the session it is told", async () => {
    const { server, run } = await here();
    const answer = await tell(await server(), "chat", { message: "Hello there." });
    const today = new Date().toISOString().slice(0, 10);
    const requestsIn = (...args: string[]) => JSON.parse(run([...args, "--json"]).stdout).total.requests;
    expect(requestsIn("--since", today, "--until", today)).toBe(1);
    expect(requestsIn("--until", "2020-01-01")).toBe(0);
    expect(requestsIn("--session", String(answer["session_id"]))).toBe(1);
    expect(run(["--session", randomUUID()]).code).toBe(3);
    for (const wrong of [
      ["--by", "mood"],
      ["--since", "yesterday"],
      ["--since", "2026-13-40"],
    ])
      expect(run(wrong).code).toBe(2);
  });

  test("of a database that is not there is nothing, and makes none", async () => {
    const { run } = await here();
    expect(run([])).toMatchObject({ code: 0, stdout: "Nothing was used.\n" });
  });

  test.each([
    ["is no JSON", "{"],
    ["has a slip in it", { currency: "EUR", models: { a: { input: 1, ouput: 2 } } }],
  ])("a price file that %s is refused at the start, by name", async (_, content) => {
    const { run } = await here();
    const refused = run([], { CLAIMCHECK_PRICES: priceFile(content) });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/CLAIMCHECK_PRICES names .*prices\.json, which cannot be used/);
  });
});

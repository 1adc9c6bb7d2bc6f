import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openEngine } from "../../src/cli/assemble.ts";
import { main } from "../../src/cli/main.ts";
import { readConfig } from "../../src/config.ts";
import { silentLog } from "../../src/engine/log.ts";
import { temporaryDirectory, world } from "../support/world.ts";
import { fakeWorld } from "./support/fake-world.ts";

const linux = { os: "linux", home: "/home/somebody" };
const budget = { budgetMs: 5_000 };

async function run(args: string[], environment: Record<string, string>, terminal = {}) {
  const here = fakeWorld(environment, terminal);
  const code = await main(args, { ...here, now: () => Date.now() });
  return { code, printed: here.printed(), complained: here.complained() };
}

/** Three answers, one of them given twice, of two tools and two models. */
async function used() {
  const { sim, dataDir } = await world();
  const prices = join(temporaryDirectory(), "prices.json");
  writeFileSync(
    prices,
    JSON.stringify({ currency: "EUR", models: { "gpt-*": { input: 1000, output: 1000 } } }),
  );
  const environment = { CLAIMCHECK_DATA_DIR: dataDir, CLAIMCHECK_PRICES: prices };
  const config = readConfig(
    { ...environment, OPENAI_API_KEY: "test-key-not-real", OPENAI_BASE_URL: sim.url },
    linux,
    { needsKey: true },
  );
  const engine = await openEngine(config, silentLog);
  const ask = (tool: string, message: string, model: string) =>
    engine.ask(
      { tool, callerArguments: { message }, message, settings: { model }, requestId: undefined },
      budget,
    );
  const first = await ask("chat", "One?", "gpt-sim");
  await engine.ask(
    {
      tool: "chat",
      callerArguments: { message: "One?" },
      message: "One?",
      settings: { model: "gpt-sim" },
      requestId: first.request_id,
    },
    budget,
  );
  await ask("chat", "Two?", "other");
  await ask("review_code", "Three?", "gpt-sim");
  const session = await engine.session(first.session_id);
  await engine.close();
  return { environment, first, session, dataDir };
}

const figures = (line = "") => line.trim().split(/\s{2,}/);

describe("usage", () => {
  test("is a table of at most 80 columns, with a line for all, and what was not paid twice", async () => {
    const { environment, dataDir } = await used();
    const plain = await run(["usage", "--by", "tool"], { CLAIMCHECK_DATA_DIR: dataDir });
    const lines = plain.printed.split("\n");
    expect(figures(lines[0])).toEqual(["tool", "requests", "in", "cached", "out"]);
    expect(figures(lines[1])).toEqual(["chat", "2", expect.any(String), "0", expect.any(String)]);
    expect(figures(lines[2])[0]).toBe("review_code");
    expect(figures(lines[3]).slice(0, 2)).toEqual(["all", "3"]);
    expect(plain.printed).toContain("Not paid twice: 1 replay, 0 recoveries.");
    expect(plain.printed).not.toMatch(/[Cc]ost/);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);

    const priced = await run(["usage", "--by", "model", "--ascii"], environment);
    expect(priced.printed).toMatch(/^other .* unknown$/m);
    expect(priced.printed).toMatch(/^all .* >= \d+\.\d{6}$/m);
    expect(priced.printed).toContain("Cost in EUR, by your price file.");
    expect(priced.printed).toContain("Unknown cost - no price for the model: 1 request.");
    expect(priced.printed.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(["day", "session", "request"])("adds up to the same by %s", async (by) => {
    const { environment } = await used();
    const { code, printed } = await run(["usage", "--by", by, "--json"], environment);
    const told = JSON.parse(printed);
    expect(code).toBe(0);
    expect(told).toMatchObject({ by, total: { requests: 3, not_paid_twice: { replays: 1, recoveries: 0 } } });
    const requests = told.groups.reduce(
      (sum: number, group: { requests: number }) => sum + group.requests,
      0,
    );
    expect(requests).toBe(3);
  });

  test("is of the days, the session and the tool asked for", async () => {
    const { environment, first, session } = await used();
    const total = async (...args: string[]) =>
      JSON.parse((await run(["usage", "--json", ...args], environment)).printed).total.requests;
    expect(await total("--session", first.session_id, "--tool", "chat")).toBe(1);
    expect(await total("--since", "2020-01-01", "--until", "2020-01-02")).toBe(0);
    expect((await run(["usage", "--until", "2020-01-02"], environment)).printed).toBe("Nothing was used.\n");
    expect(session.usage).toMatchObject({ requests: 1, cost: { currency: "EUR" } });
  });

  test.each([
    [["--by", "mood"], /--by must be one of day, session/],
    [["--since", "now"], /--since must be a day/],
    [["--until", "2026-13-01"], /--until must be a day/],
  ])("does not take %j", async (args, says) => {
    const { code, complained } = await run(["usage", ...args], { CLAIMCHECK_DATA_DIR: temporaryDirectory() });
    expect(code).toBe(2);
    expect(complained).toMatch(says);
  });

  test("of a database that is not there is nothing", async () => {
    const { code, printed } = await run(["usage"], {
      CLAIMCHECK_DATA_DIR: join(temporaryDirectory(), "none"),
    });
    expect({ code, printed }).toEqual({ code: 0, printed: "Nothing was used.\n" });
  });
});

describe("a price file", () => {
  const wrong: [string, string | null, RegExp][] = [
    ["is not there", null, /it cannot be read/],
    ["is no JSON", "{", /it is no JSON/],
    ["has a slip in it", '{"currency":"EUR","models":{"a":{"input":1,"ouput":2}}}', /models\.a/],
    ["is something else", "[]", /the whole/],
    ["is far too large", `"${"x".repeat(1_100_000)}"`, /too large/],
  ];
  test.each(wrong)("that %s is refused, saying what is wrong", async (_, content, says) => {
    const file = join(temporaryDirectory(), "prices.json");
    if (content !== null) writeFileSync(file, content);
    const { code, complained } = await run(["usage"], {
      CLAIMCHECK_DATA_DIR: temporaryDirectory(),
      CLAIMCHECK_PRICES: file,
    });
    expect(code).toBe(2);
    expect(complained).toMatch(/CLAIMCHECK_PRICES names .*prices\.json, which cannot be used/);
    expect(complained).toMatch(says);
  });
});

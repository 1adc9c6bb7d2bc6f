import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costOf, decimal } from "../../src/ledger/cost.ts";
import { priceOf, pricesSchema } from "../../src/ledger/prices.ts";
import { type Entry, groupings, summedUp } from "../../src/ledger/summary.ts";
import { tokensOf } from "../../src/ledger/tokens.ts";

const prices = pricesSchema.parse({
  currency: "USD",
  models: {
    "gpt-x": {
      input: 1.25,
      cached_input: "0.125",
      output: 10,
      tiers: { flex: { input: 0.625, output: 5 } },
    },
    "gpt-*": { input: 2, output: 4, reasoning: 8 },
    "gpt-y-*": { input: 3, output: 3 },
    "claude-x": { input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 },
  },
});

const openai = (input: number, output: number, cached = 0, reasoning = 0) => ({
  input_tokens: input,
  output_tokens: output,
  input_tokens_details: { cached_tokens: cached },
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
});

const billed = (model: string, usage: Record<string, unknown> | null, serviceTier: string | null = null) => ({
  model,
  usage,
  serviceTier,
});

const amount = (...given: Parameters<typeof billed>) => {
  const cost = costOf(billed(...given), prices);
  return "known" in cost ? decimal(cost.known) : cost.unknown;
};

describe("tokens", () => {
  test("of OpenAI: the details are parts of the whole", () => {
    expect(tokensOf(openai(100, 50, 80, 30))).toEqual({
      input: 100,
      cachedInput: 80,
      cacheWrite: 0,
      output: 50,
      reasoning: 30,
    });
  });

  test("of Anthropic: what a cache gave or took is counted beside the rest", () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 5,
      cache_read_input_tokens: 80,
      cache_creation_input_tokens: 20,
    };
    expect(tokensOf(usage)).toEqual({ input: 110, cachedInput: 80, cacheWrite: 20, output: 5, reasoning: 0 });
  });

  test("of Ollama: prompt and answer", () => {
    expect(tokensOf({ prompt_eval_count: 26, eval_count: 282, total_duration: 1 })).toMatchObject({
      input: 26,
      output: 282,
    });
  });

  test.each([
    null,
    {},
    { tokens: 5 },
    { input_tokens: "5", output_tokens: 1 },
    { input_tokens: -1, output_tokens: 1 },
  ])("of %j are unknown, not none", (usage) => expect(tokensOf(usage)).toBeNull());
});

describe("a cost", () => {
  test("is exact, with cached and reasoning tokens at their own rates, or at those of the rest", () => {
    expect(amount("gpt-x", openai(1_000_000, 0))).toBe("1.250000");
    expect(amount("gpt-x", openai(1_000_000, 0, 1_000_000))).toBe("0.125000");
    expect(amount("gpt-x", openai(1_000, 100, 400))).toBe("0.001800");
    expect(amount("gpt-z", openai(0, 1_000, 0, 500))).toBe("0.006000");
    expect(
      amount("claude-x", {
        input_tokens: 0,
        output_tokens: 0,
        cache_creation_input_tokens: 1_000_000,
        cache_read_input_tokens: 1_000_000,
      }),
    ).toBe("4.050000");
    expect(amount("gpt-x", openai(1, 0))).toBe("0.000001");
    expect(amount("gpt-x", openai(0, 0))).toBe("0.000000");
  });

  test("goes by the tier that upstream named", () => {
    expect(amount("gpt-x", openai(1_000_000, 0), "flex")).toBe("0.625000");
    expect(amount("gpt-x", openai(1_000_000, 0), "default")).toBe("1.250000");
    expect(amount("gpt-x", openai(1_000_000, 0), "priority")).toBe("no_price_for_tier");
  });

  test("is unknown where the model has no price or the call no counts, never nothing", () => {
    expect(amount("llama", openai(5, 5))).toBe("no_price");
    expect(amount("gpt-x", null)).toBe("no_usage");
  });

  test("goes by the model's own name before the longest beginning of it", () => {
    expect(priceOf(prices, "gpt-x")?.input).toBe(1_250_000n);
    expect(priceOf(prices, "gpt-x-2026-11-30")?.input).toBe(2_000_000n);
    expect(priceOf(prices, "gpt-y-mini")?.input).toBe(3_000_000n);
    expect(priceOf(prices, "toString")).toBeNull();
  });

  test("of many calls is the sum of theirs, whatever the counts", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(10_000_000), fc.nat(1_000_000)), { maxLength: 20 }), (counts) => {
        const entries = counts.map(([input, output]) => entry({ usage: openai(input, output) }));
        const [each, { total }] = [
          counts.map(([input, output]) => costOf(billed("gpt-x", openai(input, output)), prices)),
          summedUp(entries, "day", prices),
        ];
        const sum = each.reduce((so, cost) => so + ("known" in cost ? cost.known : 0n), 0n);
        expect(total.cost?.amount).toBe(counts.length === 0 ? null : decimal(sum));
      }),
    );
  });
});

describe("a price file", () => {
  const model = { input: 1, output: 2 };
  const wrong: [string, unknown][] = [
    ["no currency", { models: {} }],
    ["a currency that is none", { currency: "dollars", models: {} }],
    ["a field nobody knows", { currency: "USD", models: { a: { ...model, cashed_input: 1 } } }],
    ["a negative price", { currency: "USD", models: { a: { ...model, input: -1 } } }],
    ["a price without output", { currency: "USD", models: { a: { input: 1 } } }],
    ["more decimals than are kept", { currency: "USD", models: { a: { ...model, input: "0.1234567" } } }],
    ["a price that is no number", { currency: "USD", models: { a: { ...model, input: "free" } } }],
  ];
  test.each(wrong)("with %s is refused", (_, file) => {
    expect(pricesSchema.safeParse(file).success).toBe(false);
  });
});

function entry(over: Partial<Entry> = {}): Entry {
  return {
    requestId: "r",
    sessionId: "s",
    tool: "chat",
    provider: "openai",
    model: "gpt-x",
    serviceTier: null,
    usage: openai(1_000, 100),
    replays: 0,
    recovered: false,
    createdAt: Date.parse("2026-11-30T23:59:59Z"),
    ...over,
  };
}

describe("a summary", () => {
  const entries = [
    entry({ requestId: "1", replays: 2 }),
    entry({
      requestId: "2",
      tool: "review_code",
      recovered: true,
      createdAt: Date.parse("2026-12-01T00:00:00Z"),
    }),
    entry({ requestId: "3", sessionId: "t", model: "llama", usage: { prompt_eval_count: 5, eval_count: 6 } }),
    entry({ requestId: "4", usage: null }),
  ];

  test("by day, in UTC, with what was not paid twice", () => {
    const { groups, total } = summedUp(entries, "day", null);
    expect(groups.map(({ key, requests }) => [key, requests])).toEqual([
      ["2026-11-30", 3],
      ["2026-12-01", 1],
    ]);
    expect(total).toMatchObject({
      requests: 4,
      replays: 2,
      recoveries: 1,
      uncounted: 1,
      tokens: { input: 2_005, output: 206 },
    });
    expect(total).not.toHaveProperty("cost");
  });

  test("says the cost that is known, and of how many it is not", () => {
    const { total, groups } = summedUp(entries, "model", prices);
    expect(total.cost).toEqual({
      currency: "USD",
      amount: "0.004500",
      unknown: { no_price: 1, no_usage: 1 },
    });
    expect(groups.find(({ key }) => key === "llama")?.cost).toEqual({
      currency: "USD",
      amount: null,
      unknown: { no_price: 1 },
    });
  });

  test.each(groupings)("by %s loses nobody", (by) => {
    const { groups, total } = summedUp(entries, by, prices);
    expect(groups.reduce((sum, { requests }) => sum + requests, 0)).toBe(total.requests);
  });
});

import { describe, expect, test } from "vitest";
import type { Scenario } from "../../src/simulator/simulator.ts";
import {
  all,
  closing,
  never,
  paidCall,
  requestId,
  secretWord,
  textOf,
  upstream,
} from "./support/provider.ts";

describe("the paid call", () => {
  test("is accepted, followed and settled, in one POST", async () => {
    const { provider, ledger } = await upstream({ output: { text: "One two three." } });

    const reports = await all(provider.send(paidCall(), never));

    expect(reports[0]).toEqual({
      type: "upstream.accepted",
      responseId: ledger.responses[0]?.id,
      model: "gpt-sim",
      sequence: 0,
      echo: { store: true, background: true, previousResponseId: null },
    });
    expect(reports.slice(1, -1).every(({ type }) => type === "progress")).toBe(true);
    expect(closing(reports)).toMatchObject({
      type: "upstream.completed",
      outcome: {
        responseId: ledger.responses[0]?.id,
        model: "gpt-sim",
        text: "One two three.",
        refusal: null,
        reason: null,
        usage: { output_tokens: expect.any(Number) },
        citations: [],
        kinds: ["message"],
        fullChars: 14,
        truncated: false,
        echo: { store: true, background: true, previousResponseId: null },
      },
    });
    expect(ledger).toMatchObject({ attempts: 1, posts: 1, gets: 0 });
  });

  test("shows its progress in characters and sequence numbers that only grow", async () => {
    const { provider } = await upstream({ output: { text: "One two three." } });

    const reports = await all(provider.send(paidCall(), never));

    const progress = reports.flatMap((report) => (report.type === "progress" ? [report] : []));
    const numbers = progress.map(({ sequence }) => sequence);
    const chars = progress.map((report) => report.chars);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(chars).toEqual([...chars].sort((a, b) => a - b));
    expect(chars.at(-1)).toBe(14);
  });

  test("sends only the options that were given", async () => {
    const { provider, ledger } = await upstream();

    await all(provider.send(paidCall({ settings: { background: false } }), never));

    expect(ledger.requests[0]?.body).toEqual({
      model: "gpt-sim",
      input: `What do you make of ${secretWord}?`,
      store: true,
      stream: true,
      max_output_tokens: 256,
      metadata: { claimcheck_request_id: requestId },
    });
  });

  test("sends every option that was given, a model nobody has heard of included", async () => {
    const { provider, ledger } = await upstream();
    const first = closing(await all(provider.send(paidCall(), never)));
    const previousResponseId = "outcome" in first ? first.outcome.responseId : "";

    const settings = {
      model: "gpt-9-omega",
      reasoning_effort: "high",
      verbosity: "low",
      temperature: 0.5,
    } as const;
    await all(provider.send(paidCall({ instructions: "Be brief.", previousResponseId, settings }), never));

    expect(ledger.requests[1]?.body).toMatchObject({
      model: "gpt-9-omega",
      instructions: "Be brief.",
      previous_response_id: previousResponseId,
      background: true,
      reasoning: { effort: "high" },
      text: { verbosity: "low" },
      temperature: 0.5,
    });
  });

  test("tells the asked and the actual model apart", async () => {
    const { provider } = await upstream({ treatAs: { model: "gpt-sim-2026-05-01" } });

    const reports = await all(provider.send(paidCall(), never));

    expect(reports[0]).toMatchObject({ model: "gpt-sim-2026-05-01" });
    expect(closing(reports)).toMatchObject({ outcome: { model: "gpt-sim-2026-05-01" } });
  });
});

describe("what upstream ignored is reported as it said it", () => {
  const cases: [string, Scenario, object][] = [
    ["store", { treatAs: { store: false } }, { store: false, background: true }],
    ["background", { treatAs: { background: false } }, { store: true, background: false }],
  ];
  test.each(cases)("%s", async (_, scenario, echo) => {
    const { provider } = await upstream(scenario);

    const reports = await all(provider.send(paidCall(), never));

    expect(reports[0]).toMatchObject({ type: "upstream.accepted", echo });
    expect(closing(reports)).toMatchObject({ outcome: { echo } });
  });

  test("the predecessor", async () => {
    const { provider, simulator } = await upstream();
    const first = closing(await all(provider.send(paidCall(), never)));
    const previousResponseId = "outcome" in first ? first.outcome.responseId : "";
    simulator.script({ scenario: "ignores_predecessor" });

    const reports = await all(provider.send(paidCall({ previousResponseId }), never));

    expect(closing(reports)).toMatchObject({ outcome: { echo: { previousResponseId: null } } });
  });
});

describe("an answer of any kind ends as what it is", () => {
  test("a refusal is read from its part", async () => {
    const { provider } = await upstream("refusal");
    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.refused",
      outcome: { text: "", refusal: "I'm sorry, but I can't help with that.", fullChars: 38 },
    });
  });

  test("a text that reads like a refusal is an answer", async () => {
    const { provider } = await upstream({ output: { text: "I'm sorry, but I can't help with that." } });
    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.completed",
      outcome: { refusal: null },
    });
  });

  test("an incomplete one keeps its text, reason and usage", async () => {
    const { provider } = await upstream("incomplete");
    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.incomplete",
      outcome: {
        text: expect.stringMatching(/^You said/),
        reason: "max_output_tokens",
        usage: expect.anything(),
      },
    });
  });

  test("a filtered one says so", async () => {
    const { provider } = await upstream("content_filter");
    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.incomplete",
      outcome: { reason: "content_filter" },
    });
  });

  test("one that was all reasoning is incomplete, not an empty success", async () => {
    const { provider } = await upstream("reasoning_only");
    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.incomplete",
      outcome: {
        text: "",
        kinds: ["reasoning"],
        usage: { output_tokens_details: { reasoning_tokens: 1_024 } },
      },
    });
  });

  test("a function call alone is completed, empty, and named", async () => {
    const { provider } = await upstream("function_call");
    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "", kinds: ["function_call"] },
    });
  });

  test("a failed one keeps upstream's code and none of its words", async () => {
    const { provider } = await upstream({
      ending: { status: "failed", code: "server_error", message: `We saw ${secretWord}` },
    });
    const reports = await all(provider.send(paidCall(), never));
    expect(closing(reports)).toMatchObject({
      type: "upstream.failed",
      failure: {
        code: "upstream_failed",
        upstreamCode: "server_error",
        upstreamRequestId: expect.any(String),
      },
    });
    expect(JSON.stringify(reports)).not.toContain(secretWord);
  });

  test("citations come with it", async () => {
    const { provider } = await upstream("citations");
    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      outcome: { citations: [{ url: "https://example.com/paris", title: "Paris" }] },
    });
  });

  test("both phases make up the text, as upstream itself joins them", async () => {
    const { provider } = await upstream("commentary");
    expect(textOf(closing(await all(provider.send(paidCall(), never))))).toBe(
      "Let me look that up.It is Paris.",
    );
  });

  test("a long one is cut at the limit and says how long it was", async () => {
    const limits = { textBytes: 10_000, eventBytes: 8 * 1024 * 1024 };
    const { provider } = await upstream("long_text", { limits });
    const report = closing(await all(provider.send(paidCall(), never)));
    expect(report).toMatchObject({ outcome: { truncated: true, fullChars: 60_000 } });
    expect(Buffer.byteLength(textOf(report) ?? "")).toBeLessThanOrEqual(10_000);
    expect(Buffer.byteLength(textOf(report) ?? "")).toBeGreaterThan(9_990);
  });
});

/** A model is a price: what was asked for is asked for, once, and never quietly something else. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Scenario } from "../../src/simulator/simulator.ts";
import { requestRow } from "../support/request-row.ts";
import { said } from "../support/said.ts";
import { type World, world } from "../support/world.ts";

interface Sent extends Record<string, unknown> {
  model: string;
}

const sentTo = ({ sim }: World) =>
  sim.ledger.requests.filter(({ method }) => method === "POST").map(({ body }) => body as Sent);

describe("C39: a model nobody has heard of yet", () => {
  test.each([
    ["gpt-9.5-ultra-2031-04-01"],
    ["o9"],
    ["ft:gpt-7:acme::9a8b7c"],
    ["vendor/some model@latest:free"],
    ["模型-一"],
    ["x".repeat(256)],
  ])("called %s is asked for by that name, once, and reported by it", async (model) => {
    const here = await world();
    const server = await here.server();

    const result = await server.call("chat", { message: "Hello.", model });

    expect(result.isError).toBe(false);
    expect(said(result)).toMatchObject({
      status: "completed",
      requested_model: model,
      model,
      settings: { model },
    });
    expect(sentTo(here).map((body) => body.model)).toEqual([model]);
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("stays the session's model, and a call may name another without changing that", async () => {
    const here = await world();
    const server = await here.server();
    const { session_id } = said(await server.call("chat", { message: "One.", model: "gpt-9" }));

    await server.call("chat", { message: "Two.", session_id, model: "gpt-10" });
    await server.call("chat", { message: "Three.", session_id });

    expect(sentTo(here).map(({ model }) => model)).toEqual(["gpt-9", "gpt-10", "gpt-9"]);
  });
});

describe("C39: the model that answered is told beside the one that was asked", () => {
  const small: Scenario = { treatAs: { model: "gpt-small" } };

  /** An alias that stands for its dated self is what was asked for; another name is not. */
  const substitutes: [string, Scenario, string, string[]][] = [
    ["its dated self", { treatAs: { model: "gpt-test-2031-04-01" } }, "gpt-test-2031-04-01", []],
    ["another", small, "gpt-small", ["model_differs"]],
    [
      "another, on a stream that broke",
      { ...small, cut: { after: { delta: 2 }, how: "reset" } },
      "gpt-small",
      ["model_differs"],
    ],
    ["another, which refuses", { ...small, output: { refusal: "No." } }, "gpt-small", ["model_differs"]],
    [
      "another, which gives half an answer",
      { ...small, ending: { status: "incomplete", afterDeltas: 2 } },
      "gpt-small",
      ["model_differs"],
    ],
  ];

  test.each(substitutes)("where it is %s", async (_, scenario, model, warnings) => {
    const here = await world();
    const server = await here.server();
    here.sim.script({ scenario });

    const told = said(await server.call("chat", { message: "Hello, whoever you are." }));

    expect(told).toMatchObject({ requested_model: "gpt-test", model });
    const again = said(await server.call("answers", { action: "read", request_id: told["request_id"] }));
    expect(again).toMatchObject({ requested_model: "gpt-test", model });
    expect(here.sim.ledger.posts).toBe(1);
    expect(told["warnings"]).toEqual(warnings);
  });

  test("and where it is the one asked for, there is nothing to warn of", async () => {
    const here = await world();
    const told = said(await (await here.server()).call("chat", { message: "Hello." }));
    expect(told).toMatchObject({ requested_model: "gpt-test", model: "gpt-test", warnings: [] });
  });
});

describe("C39: what upstream does not take fails at once, with its name, and nothing else is tried", () => {
  const refused = (status: number, code: string, param: string | null = null): Scenario => ({
    reply: { status, code, param, message: "secret words of upstream" },
  });

  /** What upstream says, the call it says it to, and what the caller must be told. */
  const refusals: [string, Scenario, Record<string, unknown>, Record<string, unknown>][] = [
    [
      "a model, by 404",
      refused(404, "model_not_found"),
      {},
      { code: "model_unavailable", http_status: 404, upstream_code: "model_not_found" },
    ],
    [
      "a model, by 400",
      refused(400, "model_not_found", "model"),
      {},
      { code: "model_unavailable", http_status: 400, upstream_param: "model" },
    ],
    ["a model, by 403", refused(403, "model_not_found"), {}, { code: "model_unavailable", http_status: 403 }],
    ["a deployment", refused(404, "DeploymentNotFound"), {}, { code: "model_unavailable", http_status: 404 }],
    [
      "a temperature",
      refused(400, "unsupported_parameter", "temperature"),
      {},
      { code: "option_rejected", upstream_code: "unsupported_parameter", upstream_param: "temperature" },
    ],
    [
      "a reasoning effort",
      refused(400, "unsupported_value", "reasoning.effort"),
      { reasoning_effort: "max" },
      { code: "option_rejected", upstream_code: "unsupported_value", upstream_param: "reasoning.effort" },
    ],
    [
      "a verbosity",
      refused(400, "unsupported_parameter", "text.verbosity"),
      { verbosity: "low" },
      { code: "option_rejected", upstream_param: "text.verbosity" },
    ],
    [
      "a number of tokens",
      refused(400, "integer_above_max_value", "max_output_tokens"),
      { max_output_tokens: 20_000 },
      { code: "option_rejected", upstream_param: "max_output_tokens" },
    ],
    [
      "background work",
      refused(400, "unsupported_parameter", "background"),
      { background: true },
      { code: "option_rejected", upstream_param: "background" },
    ],
    [
      "storing, by 422",
      refused(422, "unsupported_parameter", "store"),
      {},
      { code: "option_rejected", http_status: 422, upstream_param: "store" },
    ],
  ];

  test.each(refusals)("%s", async (_, scenario, args, failure) => {
    const here = await world();
    const server = await here.server();
    const id = randomUUID();
    here.sim.script({ scenario });

    const ask = { message: "Hello.", request_id: id, model: "gpt-9-ultra", ...args };
    const result = await server.call("chat", ask);
    const again = await server.call("chat", ask);

    expect(result.isError).toBe(true);
    const told = said(result);
    expect(told).toMatchObject({ status: "failed", request_id: id, requested_model: "gpt-9-ultra", failure });
    expect(told).toMatchObject({
      failure: { message: expect.stringMatching(/\S/), upstream_request_id: expect.any(String) },
    });
    expect(said(again)).toMatchObject({ status: "failed", request_id: id, failure });
    expect(`${result.text}${again.text}${server.stderr()}`).not.toContain("secret words");
    expect(here.sim.ledger.attempts).toBe(1);
    expect(here.sim.ledger.posts).toBe(0);
    expect(sentTo(here)[0]).toMatchObject({ model: "gpt-9-ultra" });
    const row = requestRow(here.dataDir, id);
    expect(row).toMatchObject({ state: "failed", finished: 1, responseId: null, sessionPointer: null });
    expect(row?.events).toEqual(["claimed", "upstream.rejected"]);
  });

  test("options that nobody gave are not sent at all, so that no model can refuse them", async () => {
    const here = await world();
    const server = await here.server();
    await server.call("chat", { message: "Hello." });
    const [body] = sentTo(here);
    for (const option of [
      "temperature",
      "top_p",
      "reasoning",
      "text",
      "tools",
      "instructions",
      "truncation",
    ]) {
      expect(body ?? {}, option).not.toHaveProperty(option);
    }
  });
});

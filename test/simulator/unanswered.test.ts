import OpenAI from "openai";
import { describe } from "vitest";
import type { ScenarioName } from "../../src/simulator/simulator.ts";
import { asking, eventually, expect, failureOf, read, test, untilHolding } from "./support.ts";

describe("a POST that was read, counted and not answered properly", () => {
  const failures: [ScenarioName, object][] = [
    ["reset_before_headers", { status: undefined }],
    ["hangup_before_headers", { status: undefined }],
    ["html_502", { status: 502, requestID: null }],
    ["html_503", { status: 503, requestID: null }],
    ["html_504", { status: 504, requestID: null }],
    ["error_500", { status: 500, type: "server_error", requestID: expect.stringMatching(/^req_/) }],
    ["error_503", { status: 503, requestID: expect.stringMatching(/^req_/) }],
    ["conflict_409", { status: 409, code: "conflict", requestID: expect.stringMatching(/^req_/) }],
    ["timeout_408", { status: 408 }],
  ];

  test.for(failures)("%s", async ([scenario, expected], { simulator, client }) => {
    simulator.script({ times: 1, scenario });

    const error = await failureOf(client.responses.create(asking({ background: true })));

    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject(expected);
    expect(simulator.ledger).toMatchObject({ attempts: 1, posts: 1 });
    await eventually(() =>
      expect(simulator.ledger.responses).toMatchObject([{ status: "completed", billed: true }]),
    );
  });

  const nothings: ScenarioName[] = ["json_instead_of_stream", "html_200", "empty_200"];

  test.for(nothings)("%s: no events, and no error either", async (scenario, { play, simulator }) => {
    const reading = await play(scenario);

    expect(reading).toMatchObject({ events: [], error: undefined });
    expect(simulator.ledger.posts).toBe(1);
  });

  test("json_instead_of_stream is the complete answer all the same", async ({ simulator }) => {
    simulator.script({ scenario: "json_instead_of_stream" });

    const answer = await fetch(`${simulator.url}/responses`, {
      method: "POST",
      headers: { authorization: "Bearer sk-test" },
      body: JSON.stringify(asking({ message: "Hi" })),
    });

    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toMatchObject({ status: "completed", output: [{ type: "message" }] });
  });

  test("malformed_json_200 to a plain request", async ({ simulator, client }) => {
    simulator.script({ scenario: "malformed_json_200" });

    const error = await failureOf(client.responses.create({ model: "gpt-sim", input: "Hi" }));

    expect(error).toBeInstanceOf(SyntaxError);
    expect(simulator.ledger.posts).toBe(1);
  });

  test("in the foreground the answer is lost with its connection", async ({ play, simulator, client }) => {
    await play("reset_before_headers");

    const [lost] = simulator.ledger.responses;
    expect(lost).toMatchObject({ retrievable: false, billed: true });
    expect(await failureOf(client.responses.retrieve(lost?.id ?? ""))).toMatchObject({ status: 404 });
  });
});

test("reset_before_reading counts nothing", async ({ play, simulator }) => {
  const { error } = await play("reset_before_reading");

  expect(error).toBeInstanceOf(OpenAI.APIConnectionError);
  expect(simulator.ledger).toMatchObject({ attempts: 1, posts: 0, responses: [] });
  expect(simulator.ledger.requests).toMatchObject([{ method: "POST", path: "/v1/responses", ended: "cut" }]);
  expect(simulator.ledger.requests[0]).not.toHaveProperty("body");
});

test("a counted reply can be made a rejection, and the other way round", async ({ play, simulator }) => {
  await play({ reply: 503, counted: false });
  await play({ reply: 429, counted: true });

  expect(simulator.ledger).toMatchObject({ attempts: 2, posts: 1 });
});

describe("a POST that is answered late", () => {
  test("no_headers: nothing comes until release", async ({ simulator, client }) => {
    simulator.script({ scenario: "no_headers" });
    const reading = read(client.responses.create(asking({ message: "Hi" })));

    await untilHolding(simulator);
    expect(simulator.ledger).toMatchObject({
      posts: 1,
      responses: [{ status: "in_progress", billed: true }],
    });
    simulator.release();

    expect((await reading).text).toBe("You said: Hi");
  });

  test("slow_headers: a client with less patience gives up", async ({ simulator, client }) => {
    simulator.script({ scenario: "slow_headers" });

    const error = await failureOf(client.responses.create(asking(), { timeout: 50 }));

    expect(error).toBeInstanceOf(OpenAI.APIConnectionTimeoutError);
    await eventually(() => expect(simulator.ledger.requests).toMatchObject([{ ended: "left" }]));
    expect(simulator.ledger).toMatchObject({ posts: 1, responses: [{ retrievable: false }] });
  });

  test("slow_first_event: headers at once, then nothing for a while", async ({ simulator, client }) => {
    simulator.script({ scenario: "slow_first_event" });
    const stream = await client.responses.create(asking(), { timeout: 1_000 });

    expect(simulator.ledger.requests).toMatchObject([{ status: 200, eventsSent: 0 }]);
    stream.controller.abort();
  });

  test("the pace can be set for headers, first event and deltas", async ({ play }) => {
    const before = performance.now();
    const { text } = await play(
      { pace: { headersMs: 20, firstEventMs: 20, deltaMs: 10 } },
      { message: "Hi" },
    );

    expect(text).toBe("You said: Hi");
    expect(performance.now() - before).toBeGreaterThanOrEqual(65);
  });
});

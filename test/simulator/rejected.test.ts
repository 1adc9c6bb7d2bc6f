import { once } from "node:events";
import { connect } from "node:net";
import { describe } from "vitest";
import type { ScenarioName } from "../../src/simulator/simulator.ts";
import { asking, expect, failureOf, read, test } from "./support.ts";

describe("a rejection, scripted", () => {
  const rejections: [ScenarioName, object][] = [
    ["rate_limited", { status: 429, code: "rate_limit_exceeded" }],
    ["rate_limited_ms", { status: 429 }],
    ["rate_limited_silently", { status: 429 }],
    ["quota_exhausted", { status: 429, code: "insufficient_quota", type: "insufficient_quota" }],
    ["wrong_key", { status: 401, code: "invalid_api_key" }],
    ["forbidden", { status: 403 }],
    ["unknown_model", { status: 404, code: "model_not_found" }],
    ["unsupported_parameter", { status: 400, code: "unsupported_parameter", param: "temperature" }],
    [
      "predecessor_not_found",
      { status: 400, code: "previous_response_not_found", param: "previous_response_id" },
    ],
  ];

  test.for(rejections)("%s", async ([scenario, expected], { play, simulator }) => {
    const { error } = await play(scenario);

    expect(error).toMatchObject({ ...expected, requestID: expect.stringMatching(/^req_/) });
    expect(simulator.ledger).toMatchObject({ attempts: 1, posts: 0, responses: [] });
  });

  test("says when to come back, in seconds, in milliseconds, or not at all", async ({ play }) => {
    const headersOf = async (scenario: ScenarioName) => {
      const { error } = await play(scenario);
      const { headers } = error as { headers: Headers };
      return [headers.get("retry-after"), headers.get("retry-after-ms")];
    };

    expect(await headersOf("rate_limited")).toEqual(["1", null]);
    expect(await headersOf("rate_limited_ms")).toEqual([null, "50"]);
    expect(await headersOf("rate_limited_silently")).toEqual([null, null]);
  });

  test("for the first attempts only, as read lag has it", async ({ simulator, client }) => {
    const { id } = await read(client.responses.create(asking()));
    simulator.script({ times: 2, scenario: "predecessor_not_found" });
    const turn = () => client.responses.create(asking({ previous: id }));

    expect(await failureOf(turn())).toMatchObject({ code: "previous_response_not_found" });
    expect(await failureOf(turn())).toMatchObject({ code: "previous_response_not_found" });
    expect((await read(turn())).response?.status).toBe("completed");
    expect(simulator.ledger).toMatchObject({ attempts: 4, posts: 2 });
  });
});

describe("a rejection by the API's own rules", () => {
  const bodies: [string, unknown, object][] = [
    ["no model", { input: "Hi" }, { param: "model", code: "missing_required_parameter" }],
    [
      "a parameter nobody knows",
      { model: "m", input: "Hi", modle: 1 },
      { param: "modle", code: "unknown_parameter" },
    ],
    ["the wrong type", { model: "m", input: "Hi", store: "yes" }, { param: "store", code: "invalid_type" }],
    ["input of no known form", { model: "m", input: 7 }, { param: "input", code: "invalid_type" }],
    [
      "a value that is none",
      { model: "m", input: "Hi", reasoning: { effort: "turbo" } },
      { param: "reasoning.effort", code: "invalid_value" },
    ],
    [
      "a number too small",
      { model: "m", input: "Hi", max_output_tokens: 1 },
      { param: "max_output_tokens", code: "integer_below_min_value" },
    ],
    [
      "a decimal too small",
      { model: "m", input: "Hi", temperature: -1 },
      { param: "temperature", code: "decimal_below_min_value" },
    ],
    [
      "metadata that is too long",
      { model: "m", input: "Hi", metadata: { note: "x".repeat(513) } },
      { param: "metadata.note", code: "string_above_max_length" },
    ],
    ["no object at all", [1, 2], { param: null, type: "invalid_request_error" }],
  ];

  test.for(bodies)("%s", async ([, body, expected], { simulator }) => {
    const answer = await post(simulator.url, JSON.stringify(body));

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: expected });
    expect(simulator.ledger).toMatchObject({ attempts: 1, posts: 0 });
  });

  test("a body that is not JSON, or too much of one", async ({ simulator }) => {
    expect((await post(simulator.url, "{")).status).toBe(400);
    expect((await post(simulator.url, "x".repeat(33 * 1024 * 1024))).status).toBe(413);
    expect((await post(simulator.url, JSON.stringify({ model: "m", input: "Hi" }))).status).toBe(200);
  });

  test("a call without a key", async ({ simulator }) => {
    const answer = await fetch(`${simulator.url}/responses`, { method: "POST", body: "{}" });

    expect(answer.status).toBe(401);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    expect(simulator.ledger).toMatchObject({ attempts: 1, posts: 0, requests: [{ authorized: false }] });
  });

  test("an address that is none, and one that is badly encoded", async ({ simulator }) => {
    for (const path of ["/chat/completions", "/responses/%zz", "/responses/..%2Fx", "//"]) {
      const answer = await fetch(`${simulator.url}${path}`, { headers: { authorization: "Bearer sk-test" } });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { type: "invalid_request_error" } });
    }
  });
});

test("no bytes on its port bring the simulator down", async ({ simulator }) => {
  const heads = [
    "\0\0\0",
    "GET //%zz HTTP/1.1\r\nhost: x",
    "OPTIONS * HTTP/1.1\r\nhost: x",
    "GET http://[ HTTP/1.1\r\nhost: x",
  ];
  for (const head of heads) {
    const socket = connect(Number(new URL(simulator.url).port), "127.0.0.1");
    socket.end(`${head}\r\n\r\n`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 4/);
    socket.destroy();
  }

  expect((await post(simulator.url, JSON.stringify({ model: "m", input: "Hi" }))).status).toBe(200);
});

function post(url: string, body: string): Promise<Response> {
  return fetch(`${url}/responses`, { method: "POST", headers: { authorization: "Bearer sk-test" }, body });
}

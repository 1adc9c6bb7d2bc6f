/** What becomes of a paid call that gets no stream: the rows of the contract, each through a real socket. */
import { describe, expect, test } from "vitest";
import type { Scenario, ScenarioName } from "../../src/simulator/simulator.ts";
import { serve } from "./support/byte-server.ts";
import { all, closing, never, paidCall, providerAt, secretWord, upstream } from "./support/provider.ts";

interface Case {
  scenario: ScenarioName | Scenario;
  report: object;
  posts: number;
}

const quota = { status: 429, type: "insufficient_quota", code: "insufficient_quota", retryAfterS: 1 };
const conflict = { status: 409, html: true } as const;

const cases: Record<string, Case> = {
  "a rate limit with a delay: not started, come back then": {
    scenario: "rate_limited",
    report: {
      type: "upstream.unstarted",
      failure: { code: "rate_limited", status: 429, retryAfterS: 1 },
      retryAfterMs: 1_000,
    },
    posts: 0,
  },
  "a delay in milliseconds": {
    scenario: "rate_limited_ms",
    report: { type: "upstream.unstarted", failure: { retryAfterS: 0.05 }, retryAfterMs: 50 },
    posts: 0,
  },
  "a rate limit without a delay: rejected": {
    scenario: "rate_limited_silently",
    report: { type: "upstream.rejected", failure: { code: "rate_limited", status: 429 } },
    posts: 0,
  },
  "no quota left: rejected, whatever the headers say": {
    scenario: { reply: quota },
    report: {
      type: "upstream.rejected",
      failure: { code: "quota_exhausted", upstreamCode: "insufficient_quota" },
    },
    posts: 0,
  },
  "a predecessor that cannot be found: not started, worth another try": {
    scenario: "predecessor_not_found",
    report: {
      type: "upstream.unstarted",
      failure: { code: "predecessor_missing", upstreamCode: "previous_response_not_found" },
      retryAfterMs: 2_000,
    },
    posts: 0,
  },
  "a model that does not exist: named": {
    scenario: "unknown_model",
    report: {
      type: "upstream.rejected",
      failure: { code: "model_unavailable", status: 404, upstreamCode: "model_not_found" },
    },
    posts: 0,
  },
  "a model that is not for this key": {
    scenario: { reply: { status: 403, code: "model_not_found" } },
    report: { type: "upstream.rejected", failure: { code: "model_unavailable", status: 403 } },
    posts: 0,
  },
  "an option that is not supported: named": {
    scenario: "unsupported_parameter",
    report: {
      type: "upstream.rejected",
      failure: {
        code: "option_rejected",
        status: 400,
        upstreamCode: "unsupported_parameter",
        upstreamParam: "temperature",
      },
    },
    posts: 0,
  },
  "an option's value that is not, without a code": {
    scenario: { reply: { status: 400, code: null, param: "text.verbosity", type: "invalid_request_error" } },
    report: {
      type: "upstream.rejected",
      failure: {
        code: "option_rejected",
        upstreamCode: "invalid_request_error",
        upstreamParam: "text.verbosity",
      },
    },
    posts: 0,
  },
  "an input that is too long: no option's fault": {
    scenario: { reply: { status: 400, code: "context_length_exceeded", param: "input" } },
    report: { type: "upstream.rejected", failure: { code: "request_rejected", upstreamParam: "input" } },
    posts: 0,
  },
  "a wrong key": {
    scenario: "wrong_key",
    report: { type: "upstream.rejected", failure: { code: "authentication_failed", status: 401 } },
    posts: 0,
  },
  "a key without the right": {
    scenario: "forbidden",
    report: { type: "upstream.rejected", failure: { code: "authentication_failed", status: 403 } },
    posts: 0,
  },
  "any other 4xx": {
    scenario: { reply: { status: 413, html: true } },
    report: { type: "upstream.rejected", failure: { code: "request_rejected", status: 413 } },
    posts: 0,
  },
  "unavailable, said by the API itself": {
    scenario: "error_503",
    report: {
      type: "upstream.rejected",
      failure: { code: "upstream_unavailable", status: 503, upstreamRequestId: expect.any(String) },
    },
    posts: 1,
  },
  "unavailable, said by a gateway: unknown": {
    scenario: "html_503",
    report: { type: "upstream.lost", cause: "gateway_error", status: 503 },
    posts: 1,
  },
  "a conflict, said by the API itself": {
    scenario: "conflict_409",
    report: { type: "upstream.rejected", failure: { code: "request_rejected", status: 409 } },
    posts: 1,
  },
  "a conflict, said by a gateway: unknown": {
    scenario: { reply: conflict },
    report: { type: "upstream.lost", cause: "conflict", status: 409 },
    posts: 1,
  },
  "an internal error, although in the API's envelope: unknown": {
    scenario: "error_500",
    report: {
      type: "upstream.lost",
      cause: "gateway_error",
      status: 500,
      upstreamRequestId: expect.any(String),
    },
    posts: 1,
  },
  "a gateway's error": {
    scenario: "html_502",
    report: { type: "upstream.lost", cause: "gateway_error", status: 502 },
    posts: 1,
  },
  "a gateway's time-out": {
    scenario: "html_504",
    report: { type: "upstream.lost", cause: "gateway_error", status: 504 },
    posts: 1,
  },
  "a request time-out": {
    scenario: "timeout_408",
    report: { type: "upstream.lost", cause: "gateway_error", status: 408 },
    posts: 1,
  },
  "a reset after the body was read": {
    scenario: "reset_before_headers",
    report: { type: "upstream.lost", cause: "reset" },
    posts: 1,
  },
  "a reset before it was read, which looks the same from here": {
    scenario: "reset_before_reading",
    report: { type: "upstream.lost", cause: "reset" },
    posts: 0,
  },
  "a connection closed before a byte": {
    scenario: "hangup_before_headers",
    report: { type: "upstream.lost", cause: "reset" },
    posts: 1,
  },
  "a web page": {
    scenario: "html_200",
    report: { type: "upstream.lost", cause: "not_a_stream" },
    posts: 1,
  },
  "nothing at all": {
    scenario: "empty_200",
    report: { type: "upstream.lost", cause: "not_a_stream" },
    posts: 1,
  },
  "half a JSON document": {
    scenario: "malformed_json_200",
    report: { type: "upstream.lost", cause: "not_a_stream" },
    posts: 1,
  },
  "a stream without events": {
    scenario: "eof_without_events",
    report: { type: "upstream.lost", cause: "not_a_stream", partial: null, carry: null },
    posts: 1,
  },
};

describe("a paid call that is not answered with a stream", () => {
  test.each(Object.entries(cases))("%s", async (_, { scenario, report, posts }) => {
    const { provider, ledger } = await upstream(scenario);

    const reports = await all(provider.send(paidCall(), never));

    expect(reports).toHaveLength(1);
    expect(closing(reports)).toMatchObject(report);
    expect(ledger).toMatchObject({ attempts: 1, posts, gets: 0 });
  });

  test("a redirect is not followed: it would be a second POST", async () => {
    const server = await serve((response) => response.writeHead(307, { location: "/v1/elsewhere" }).end());

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(closing(reports)).toMatchObject({ type: "upstream.lost", cause: "not_a_stream", status: 307 });
    expect(server.seen).toEqual(["POST /v1/responses"]);
  });

  test.each([503, 409])("%i in an envelope without a request id could be anybody's", async (status) => {
    const server = await serve((response) =>
      response.writeHead(status, { "content-type": "application/json" }).end('{"error":{"code":"x"}}'),
    );

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(closing(reports)).toMatchObject({ type: "upstream.lost", status });
  });

  test("204 is no answer", async () => {
    const server = await serve((response) => response.writeHead(204).end());

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(closing(reports)).toMatchObject({ type: "upstream.lost", cause: "not_a_stream" });
  });

  test("upstream's words are never told, nor codes that could be words", async () => {
    const error = {
      message: `Your prompt "${secretWord}" is bad`,
      code: `about ${secretWord}`,
      param: `input: ${secretWord}`,
      type: "invalid_request_error",
    };
    const server = await serve((response) =>
      response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error })),
    );

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(closing(reports)).toEqual({
      type: "upstream.rejected",
      failure: { code: "request_rejected", status: 400, upstreamCode: "invalid_request_error" },
    });
  });
});

describe("a JSON document in place of the stream", () => {
  test("is the answer where it holds one", async () => {
    const { provider, ledger } = await upstream("json_instead_of_stream");

    const reports = await all(provider.send(paidCall({ settings: { background: false } }), never));

    expect(reports).toHaveLength(1);
    expect(closing(reports)).toMatchObject({
      type: "upstream.completed",
      outcome: { text: expect.any(String) },
    });
    expect(ledger.posts).toBe(1);
  });

  test("that is still queued gives the id, and then no stream", async () => {
    const { provider, ledger } = await upstream({ reply: "json", hold: ["queued"] });

    const reports = await all(provider.send(paidCall(), never));

    expect(reports).toMatchObject([
      { type: "upstream.accepted", responseId: ledger.responses[0]?.id },
      { type: "upstream.lost", cause: "ended", carry: { after: null, chars: 0 } },
    ]);
  });

  const ends = [
    [
      "incomplete",
      { incomplete_details: { reason: "content_filter" } },
      { type: "upstream.incomplete", outcome: { reason: "content_filter" } },
    ],
    [
      "failed",
      { error: { code: "server_error", message: secretWord } },
      { type: "upstream.failed", failure: { upstreamCode: "server_error" } },
    ],
  ] as const;
  test.each(ends)("that is %s is that", async (status, fields, report) => {
    const server = await serve((response) =>
      response
        .writeHead(200, { "content-type": "application/json; charset=utf-8" })
        .end(JSON.stringify({ id: "resp_1", object: "response", status, ...fields })),
    );

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(reports).toHaveLength(1);
    expect(closing(reports)).toMatchObject(report);
    expect(JSON.stringify(reports)).not.toContain(secretWord);
  });

  test("that is cancelled was accepted first", async () => {
    const server = await serve((response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ id: "resp_1", object: "response", status: "cancelled" })),
    );

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(reports.map(({ type }) => type)).toEqual(["upstream.accepted", "upstream.cancelled"]);
  });

  test.each(["{}", "[]", "null", '{"error":{"message":"no"}}'])("that is %s says nothing", async (body) => {
    const server = await serve((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(body),
    );

    const reports = await all(providerAt(server.url).send(paidCall(), never));

    expect(closing(reports)).toMatchObject({ type: "upstream.lost", cause: "not_a_stream" });
  });

  test("that is larger than the limit is lost for that", async () => {
    const server = await serve((response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ id: "resp_1", status: "completed", pad: "x".repeat(20_000) })),
    );
    const provider = providerAt(server.url, { limits: { textBytes: 1_000, eventBytes: 10_000 } });

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.lost",
      cause: "oversized",
    });
  });
});

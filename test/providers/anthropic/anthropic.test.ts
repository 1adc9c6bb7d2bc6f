import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { createAnthropicProvider } from "../../../src/providers/anthropic/anthropic.ts";
import type { PaidCall } from "../../../src/providers/provider.ts";
import { type ByteServer, type Reply, say, sayInPieces, sayJson, serve } from "../support/byte-server.ts";
import { all, closing, never, paidCall, secretWord, testKey, textOf } from "../support/provider.ts";
import { answerOf, apiError, errorEvent, other, started, stopped, words } from "./events.ts";

const text = "Grüße, 世界! A 🎺 plays.";
const headers = { "content-type": "text/event-stream; charset=utf-8", "request-id": "req_test" };
const id = "msg_1nZdL29xx5MUA1yADyHTEsnR8uuvGzszyY";

const rootOf = ({ url }: ByteServer) => url.replace(/\/v1$/, "");

function providerAt(baseUrl: string, over: { idleMs?: number; firstByteMs?: number } = {}) {
  return createAnthropicProvider({
    apiKey: testKey,
    baseUrl,
    firstByteMs: 5_000,
    idleMs: 5_000,
    limits: { textBytes: 1_000, eventBytes: 10_000 },
    ...over,
  });
}

async function answered(
  reply: Reply,
  { call = {}, ...over }: { call?: Partial<PaidCall>; idleMs?: number; firstByteMs?: number } = {},
) {
  const server = await serve(reply);
  const reports = await all(providerAt(rootOf(server), over).send({ ...paidCall(), ...call }, never));
  expect(server.seen).toEqual(["POST /v1/messages"]);
  expect(JSON.stringify(reports)).not.toContain(secretWord);
  return { reports, end: closing(reports), server };
}

describe("an answer", () => {
  test("is accepted under upstream's id, told as it comes, and completed with its usage", async () => {
    const { reports, end } = await answered(say(answerOf(text), headers));
    expect(reports[0]).toEqual({
      type: "upstream.accepted",
      responseId: id,
      model: "claude-sim",
      sequence: null,
      echo: {},
    });
    expect(end).toMatchObject({
      type: "upstream.completed",
      outcome: {
        responseId: id,
        model: "claude-sim",
        text,
        refusal: null,
        kinds: ["message"],
        serviceTier: "standard",
        usage: { input_tokens: 25, output_tokens: 15, cache_read_input_tokens: 0 },
      },
    });
  });

  test.each([1, 2, 5, 64, 4_096])("is the same in pieces of %i bytes", async (size) => {
    const bytes = Buffer.from(answerOf(text));
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    expect(textOf((await answered(sayInPieces(pieces, headers))).end)).toBe(text);
  });

  test.each([
    ["end_turn", "upstream.completed", null],
    ["stop_sequence", "upstream.completed", null],
    ["a_reason_to_come", "upstream.completed", null],
    ["max_tokens", "upstream.incomplete", "max_output_tokens"],
    ["model_context_window_exceeded", "upstream.incomplete", "model_context_window_exceeded"],
  ])("that stopped for %s is %s", async (stop, type, reason) => {
    const { end } = await answered(say(answerOf(text, { stop }), headers));
    expect(end).toMatchObject({ type, outcome: { text, reason } });
  });

  test("that is a refusal is told as one, with what was said", async () => {
    const { end } = await answered(say(answerOf("I cannot.", { stop: "refusal" }), headers));
    expect(end).toMatchObject({ type: "upstream.refused", outcome: { text: "", refusal: "I cannot." } });
    const silent = await answered(say(started() + stopped({ stop: "refusal" }), headers));
    expect(silent.end).toMatchObject({ type: "upstream.refused", outcome: { refusal: "" } });
  });

  test("keeps thinking and tools out of its text, and says that they were there", async () => {
    const body =
      started() +
      other({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } }) +
      other({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } }) +
      words("Yes.") +
      other({
        type: "content_block_start",
        index: 2,
        content_block: { type: "tool_use", id: "t", name: "n", input: {} },
      }) +
      other({ type: "something_new", field: 1 }) +
      stopped({ stop: "tool_use" });
    const { end } = await answered(say(body, headers));
    expect(end).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "Yes.", kinds: expect.arrayContaining(["thinking", "message", "tool_use"]) },
    });
  });

  test("above what can be kept is cut, and says its whole length", async () => {
    const long = "🎺".repeat(600);
    const { end } = await answered(say(answerOf(long), headers));
    expect(end).toMatchObject({ outcome: { truncated: true, fullChars: long.length } });
  });
});

describe("the call", () => {
  test("carries instructions, conversation, effort and shape, under our own headers", async () => {
    const schema = { type: "object" };
    const { server } = await answered(say(answerOf(text), headers), {
      call: paidCall({
        instructions: "Be brief.",
        transcript: [{ message: "One?", answer: "1." }],
        message: "Two?",
        format: { name: "x", schema },
        settings: { reasoning_effort: "high" },
      }),
    });
    expect(JSON.parse(server.bodies[0] ?? "")).toEqual({
      model: "gpt-sim",
      max_tokens: 256,
      system: "Be brief.",
      messages: [
        { role: "user", content: "One?" },
        { role: "assistant", content: "1." },
        { role: "user", content: "Two?" },
      ],
      output_config: { effort: "high", format: { type: "json_schema", schema } },
      stream: true,
    });
    expect(server.headers).toMatchObject({
      "x-api-key": testKey,
      "anthropic-version": "2023-06-01",
      "user-agent": "claimcheck",
    });
    expect(Object.keys(server.headers).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
    expect(server.headers).not.toHaveProperty("authorization");
  });

  test("names what has no equivalent, so that it is refused and not left out", () => {
    const { cannot } = providerAt("http://127.0.0.1:9");
    const { settings } = paidCall();
    expect(cannot?.(settings)).toEqual([]);
    expect(cannot?.({ ...settings, verbosity: "low", reasoning_effort: "minimal" })).toEqual([
      "verbosity",
      "reasoning_effort",
    ]);
  });

  test("goes where it was told and prints nothing, whatever the environment says", async () => {
    const server = await serve(say(answerOf(text), headers));
    const script = `
      import { createAnthropicProvider } from ${JSON.stringify(new URL("../../../src/providers/anthropic/anthropic.ts", import.meta.url).href)};
      async function main() {
        const provider = createAnthropicProvider({ apiKey: ${JSON.stringify(testKey)}, baseUrl: process.argv.at(-1), firstByteMs: 5000, idleMs: 5000, limits: { textBytes: 1000, eventBytes: 10000 } });
        const call = ${JSON.stringify(paidCall())};
        for await (const report of provider.send(call, new AbortController().signal)) process.stderr.write(report.type + "\\n");
      }
      void main();
    `;
    const meddling = {
      ANTHROPIC_LOG: "debug",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
      ANTHROPIC_API_KEY: "another-key-not-real",
      ANTHROPIC_AUTH_TOKEN: "token-not-real",
      ANTHROPIC_CUSTOM_HEADERS: "Authorization: Bearer stolen\nX-Extra: 1",
      DEBUG: "*",
    };
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", script, rootOf(server)],
      { env: { ...process.env, ...meddling }, timeout: 14_000 },
    );
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^upstream\.accepted\n(?:progress\n)+upstream\.completed\n$/);
    expect(server.headers["x-api-key"]).toBe(testKey);
    for (const name of ["authorization", "x-extra"]) expect(server.headers).not.toHaveProperty(name);
  });
});

describe("what goes wrong", () => {
  const begun = started() + words("One two");
  const losses: [string, Reply, string][] = [
    ["a stream that ends without its end", say(begun, headers), "ended"],
    [
      "a connection that breaks",
      (response) => response.writeHead(200, headers).write(begun, () => response.destroy()),
      "reset",
    ],
    ["an event that is no JSON", say(`${begun}event: message_delta\ndata: {"x\n\n`, headers), "malformed"],
    [
      "an overload amid the stream",
      say(begun + errorEvent("overloaded_error", secretWord), headers),
      "stream_error",
    ],
  ];
  test.each(losses)("%s loses contact, and keeps what had arrived", async (_, reply, cause) => {
    expect((await answered(reply)).end).toMatchObject({
      type: "upstream.lost",
      cause,
      upstreamRequestId: "req_test",
      partial: { text: "One two" },
    });
  });

  test("an event larger than any answer loses contact", async () => {
    const { end } = await answered(say(`${begun}event: ping\ndata: ${"y".repeat(20_000)}\n\n`, headers));
    expect(end).toMatchObject({ type: "upstream.lost", cause: "oversized" });
  });

  const refusals: [string, Reply, object][] = [
    [
      "a bad key",
      sayJson(apiError("authentication_error", secretWord), 401),
      {
        type: "upstream.rejected",
        failure: { code: "authentication_failed", upstreamCode: "authentication_error" },
      },
    ],
    [
      "no right",
      sayJson(apiError("permission_error", secretWord), 403),
      { type: "upstream.rejected", failure: { code: "authentication_failed" } },
    ],
    [
      "an unknown model",
      sayJson(apiError("not_found_error", secretWord), 404),
      { type: "upstream.rejected", failure: { code: "model_unavailable", status: 404 } },
    ],
    [
      "a bad request",
      sayJson(apiError("invalid_request_error", secretWord), 400),
      { type: "upstream.rejected", failure: { code: "request_rejected" } },
    ],
    [
      "no money",
      sayJson(apiError("billing_error", secretWord), 402),
      { type: "upstream.rejected", failure: { code: "quota_exhausted" } },
    ],
    [
      "a rate limit with a delay",
      sayJson(apiError("rate_limit_error", "x"), 429, { "retry-after": "2" }),
      { type: "upstream.unstarted", retryAfterMs: 2_000 },
    ],
    [
      "a rate limit without one",
      sayJson(apiError("rate_limit_error", "x"), 429),
      { type: "upstream.rejected", failure: { code: "rate_limited" } },
    ],
    [
      "an internal error",
      sayJson(apiError("api_error", secretWord), 500),
      { type: "upstream.lost", cause: "gateway_error", status: 500 },
    ],
    [
      "an overload",
      sayJson(apiError("overloaded_error", secretWord), 529),
      { type: "upstream.lost", cause: "gateway_error", status: 529 },
    ],
    [
      "a gateway's page",
      say("<html>hello</html>", { "content-type": "text/html" }),
      { type: "upstream.lost", cause: "not_a_stream" },
    ],
    [
      "a redirect, which is not followed",
      (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
      { type: "upstream.lost" },
    ],
    [
      "an error event first",
      say(errorEvent("overloaded_error", secretWord), headers),
      { type: "upstream.lost", cause: "stream_error", partial: null },
    ],
  ];
  test.each(refusals)("%s", async (_, reply, end) => {
    const { reports } = await answered(reply);
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject(end);
  });

  test("silence before the first byte, and after it", async () => {
    const silent = await answered(() => {}, { firstByteMs: 150 });
    expect(silent.end).toMatchObject({ type: "upstream.lost", cause: "first_byte_timeout", partial: null });
    const stalled = await answered((response) => response.writeHead(200, headers).write(begun), {
      idleMs: 150,
    });
    expect(stalled.end).toMatchObject({ type: "upstream.lost", cause: "idle", partial: { text: "One two" } });
  });

  test("our own signal ends it with what had arrived", async () => {
    const server = await serve((response) => response.writeHead(200, headers).write(begun));
    const stop = new AbortController();
    const heard = [];
    for await (const report of providerAt(rootOf(server)).send(paidCall(), stop.signal)) {
      heard.push(report);
      if (report.type === "progress" && report.chars === "One two".length) stop.abort();
    }
    expect(closing(heard)).toMatchObject({
      type: "aborted",
      partial: { text: "One two", reason: "cancelled" },
    });
  });
});

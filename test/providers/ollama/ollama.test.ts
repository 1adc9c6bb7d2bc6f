import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { createOllamaProvider } from "../../../src/providers/ollama/ollama.ts";
import type { PaidCall } from "../../../src/providers/provider.ts";
import { type ByteServer, type Reply, say, sayInPieces, sayJson, serve } from "../support/byte-server.ts";
import { all, closing, never, paidCall, requestId, secretWord, textOf } from "../support/provider.ts";
import { answerOf, beginningOf, done, lines, ndjson } from "./documents.ts";

const text = "Grüße, 世界! A 🎺 plays.";

const rootOf = ({ url }: ByteServer) => url.replace(/\/v1$/, "");

function providerAt(baseUrl: string, over: { idleMs?: number; firstByteMs?: number; numCtx?: number } = {}) {
  return createOllamaProvider({
    baseUrl,
    numCtx: 4_096,
    firstByteMs: 5_000,
    idleMs: 5_000,
    limits: { textBytes: 1_000, eventBytes: 10_000 },
    ...over,
  });
}

/** A port on which nothing listens any more. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function answered(
  reply: Reply,
  over: Parameters<typeof providerAt>[1] & { call?: Partial<PaidCall> } = {},
) {
  const server = await serve(reply);
  const { call = {}, ...options } = over;
  const reports = await all(providerAt(rootOf(server), options).send({ ...paidCall(), ...call }, never));
  expect(server.seen).toEqual(["POST /api/chat"]);
  expect(JSON.stringify(reports)).not.toContain(secretWord);
  return { reports, end: closing(reports) };
}

describe("an answer", () => {
  test("is accepted under an id of our own, told as it comes, and completed with the server's own counts", async () => {
    const { reports, end } = await answered(say(answerOf(text), ndjson));
    const id = `ollama_${requestId}`;
    expect(reports[0]).toEqual({
      type: "upstream.accepted",
      responseId: id,
      model: "llama3.2",
      sequence: null,
      echo: {},
    });
    expect(end).toMatchObject({
      type: "upstream.completed",
      outcome: {
        responseId: id,
        model: "llama3.2",
        text,
        kinds: ["message"],
        fullChars: text.length,
        truncated: false,
        usage: { prompt_eval_count: 26, eval_count: 282, total_duration: 4_883_583_458 },
      },
    });
    expect(end).not.toHaveProperty("outcome.promptTruncated");
    const progress = reports.flatMap((report) => (report.type === "progress" ? [report.chars] : []));
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  });

  test.each([1, 2, 3, 7, 64, 4_096])("is the same in pieces of %i bytes", async (size) => {
    const bytes = Buffer.from(answerOf(text));
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    expect(textOf((await answered(sayInPieces(pieces, ndjson))).end)).toBe(text);
  });

  const forms: [string, string][] = [
    ["with other line ends", answerOf(text).replaceAll("\n", "\r\n")],
    ["with blank lines between", answerOf(text).replaceAll("\n", "\n\n")],
    ["without a last line end", answerOf(text).trimEnd()],
    ["with fields nobody knows", answerOf(text).replaceAll('"done":', '"x":{"y":1},"done":')],
    ["with words after its end", answerOf(text) + lines({ message: { content: "more" } })],
  ];
  test.each(forms)("is read %s", async (_, body) => {
    expect((await answered(say(body, ndjson))).end).toMatchObject({
      type: "upstream.completed",
      outcome: { text },
    });
  });

  test("in one document in place of a stream is an answer too", async () => {
    const { end } = await answered(sayJson({ ...done, message: { role: "assistant", content: text } }));
    expect(end).toMatchObject({ type: "upstream.completed", outcome: { text } });
  });

  test("that reached its limit of tokens is incomplete, and says so", async () => {
    const { end } = await answered(say(answerOf(text, { ...done, done_reason: "length" }), ndjson));
    expect(end).toMatchObject({
      type: "upstream.incomplete",
      outcome: { text, reason: "max_output_tokens" },
    });
  });

  test("that only thinks or calls tools says what kinds of output there were", async () => {
    const body = lines(
      { model: "m", message: { role: "assistant", content: "", thinking: "Hm." }, done: false },
      { model: "m", message: { role: "assistant", content: "", tool_calls: [{}] }, done: false },
      done,
    );
    expect((await answered(say(body, ndjson))).end).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "", kinds: expect.arrayContaining(["tool_call"]) },
    });
  });

  test("above what can be kept is cut between two characters, and says its whole length", async () => {
    const long = "🎺".repeat(600);
    const { end } = await answered(say(answerOf(long), ndjson));
    expect(end).toMatchObject({ outcome: { truncated: true, fullChars: long.length } });
    expect(Buffer.byteLength(textOf(end) ?? "")).toBeLessThanOrEqual(1_000);
    expect(textOf(end)?.isWellFormed()).toBe(true);
  });

  test("to a prompt that is longer than the context could hold is flagged, whatever count is told", async () => {
    const call = { message: "word ".repeat(5_000) };
    const { end } = await answered(say(answerOf(text, { ...done, prompt_eval_count: 900 }), ndjson), {
      call,
    });
    expect(end).toMatchObject({ outcome: { promptTruncated: true } });
  });

  test("to a prompt that fills the context is flagged: the server cut it without a word", async () => {
    const { end } = await answered(say(answerOf(text, { ...done, prompt_eval_count: 4_096 }), ndjson));
    expect(end).toMatchObject({ outcome: { promptTruncated: true } });
  });
});

describe("the call", () => {
  test("carries instructions, conversation, context size and shape, and options only when given", async () => {
    const server = await serve(say(answerOf(text), ndjson));
    const schema = { type: "object" };
    await all(
      providerAt(rootOf(server)).send(
        paidCall({
          instructions: "Be brief.",
          transcript: [{ message: "One?", answer: "1." }],
          message: "Two?",
          format: { name: "x", schema },
          settings: { temperature: 0.5 },
        }),
        never,
      ),
    );
    await all(providerAt(rootOf(server)).send(paidCall({ message: "Only." }), never));
    expect(server.bodies.map((body) => JSON.parse(body))).toEqual([
      {
        model: "gpt-sim",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "One?" },
          { role: "assistant", content: "1." },
          { role: "user", content: "Two?" },
        ],
        stream: true,
        format: schema,
        options: { num_ctx: 4_096, num_predict: 256, temperature: 0.5 },
      },
      {
        model: "gpt-sim",
        messages: [{ role: "user", content: "Only." }],
        stream: true,
        options: { num_ctx: 4_096, num_predict: 256 },
      },
    ]);
  });
});

describe("what goes wrong", () => {
  const losses: [string, Reply, string][] = [
    ["a stream that ends without its end", say(beginningOf("One two"), ndjson), "ended"],
    [
      "a connection that breaks",
      (response) => response.writeHead(200, ndjson).write(beginningOf("One two"), () => response.destroy()),
      "reset",
    ],
    ["a line that is no JSON", say(`${beginningOf("One two")}{"mess\n`, ndjson), "malformed"],
    ["a line that is cut off", say(`${beginningOf("One two")}{"mess`, ndjson), "ended"],
    [
      "an error amid the stream",
      say(beginningOf("One two") + lines({ error: `no ${secretWord}` }), ndjson),
      "stream_error",
    ],
    [
      "a line larger than any answer",
      say(`${beginningOf("One two")}{"x":"${"y".repeat(20_000)}"}\n`, ndjson),
      "oversized",
    ],
  ];
  test.each(losses)("%s loses contact, and keeps what had arrived", async (_, reply, cause) => {
    expect((await answered(reply)).end).toMatchObject({
      type: "upstream.lost",
      cause,
      partial: { text: "One two" },
      carry: null,
    });
  });

  const unaccepted: [string, Reply, object][] = [
    [
      "a stream without a word",
      say("", ndjson),
      { type: "upstream.lost", cause: "not_a_stream", partial: null },
    ],
    [
      "an error first",
      say(lines({ error: `no ${secretWord}` }), ndjson),
      { type: "upstream.lost", cause: "stream_error" },
    ],
    ["a web page", say("<html>hello</html>", { "content-type": "text/html" }), { type: "upstream.lost" }],
    [
      "a model that was not pulled",
      sayJson({ error: `model ${secretWord} not found` }, 404),
      { type: "upstream.rejected", failure: { code: "model_unavailable", status: 404 } },
    ],
    [
      "a bad request",
      sayJson({ error: secretWord }, 400),
      { type: "upstream.rejected", failure: { status: 400 } },
    ],
    [
      "a server in trouble",
      sayJson({ error: secretWord }, 500),
      { type: "upstream.lost", cause: "gateway_error", status: 500 },
    ],
    ["a busy server", sayJson({ error: "busy" }, 503), { type: "upstream.lost", cause: "gateway_error" }],
    [
      "a rate limit with a delay",
      sayJson({}, 429, { "retry-after": "2" }),
      { type: "upstream.unstarted", retryAfterMs: 2_000 },
    ],
    [
      "a rate limit without one",
      sayJson({}, 429),
      { type: "upstream.rejected", failure: { code: "rate_limited" } },
    ],
    [
      "a redirect, which is not followed",
      (response) => response.writeHead(302, { location: "/elsewhere" }).end(),
      { type: "upstream.lost", cause: "not_a_stream" },
    ],
    [
      "a connection closed before a byte",
      (response) => response.destroy(),
      { type: "upstream.lost", cause: "reset" },
    ],
  ];
  test.each(unaccepted)("%s", async (_, reply, end) => {
    const { reports } = await answered(reply);
    expect(reports).toEqual([expect.objectContaining({ type: Reflect.get(end, "type") })]);
    expect(reports[0]).toMatchObject(end);
  });

  test("a server that is not there never had the call", async () => {
    const [end] = await all(providerAt(`http://127.0.0.1:${await freePort()}`).send(paidCall(), never));
    expect(end).toMatchObject({
      type: "upstream.unstarted",
      failure: { code: "connection_failed", cause: "ECONNREFUSED" },
    });
  });

  test("silence before the first byte, and after it", async () => {
    const silent = await answered(() => {}, { firstByteMs: 150 });
    expect(silent.end).toMatchObject({ type: "upstream.lost", cause: "first_byte_timeout", partial: null });
    const stalled = await answered(
      (response) => response.writeHead(200, ndjson).write(beginningOf("One two")),
      { idleMs: 150 },
    );
    expect(stalled.end).toMatchObject({ type: "upstream.lost", cause: "idle", partial: { text: "One two" } });
  });

  test("our own signal ends it with what had arrived", async () => {
    const server = await serve((response) => response.writeHead(200, ndjson).write(beginningOf("One two")));
    const stop = new AbortController();
    const heard = [];
    for await (const report of providerAt(rootOf(server)).send(paidCall(), stop.signal)) {
      heard.push(report);
      if (report.type === "progress") stop.abort();
    }
    expect(closing(heard)).toMatchObject({
      type: "aborted",
      partial: { text: "One two", reason: "cancelled" },
    });
  });

  test("nothing can be asked for afterwards, and that is never taken for a fact about the answer", async () => {
    const provider = providerAt("http://127.0.0.1:9");
    expect(provider.capabilities).toEqual({
      retrieve: false,
      background: false,
      cancel: false,
      chaining: false,
      schema: true,
    });
    expect(await provider.retrieve("ollama_x", never)).toMatchObject({ type: "retrieval.faulted" });
    expect(await provider.cancel("ollama_x", never)).toMatchObject({ type: "retrieval.faulted" });
    expect(await all(provider.resume("ollama_x", null, never))).toMatchObject([{ type: "upstream.lost" }]);
  });
});

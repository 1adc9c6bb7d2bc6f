import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "../support/world.ts";
import { type Aimock, startAimock } from "./support/aimock.ts";
import { claimcheckAt } from "./support/claimcheck.ts";
import { keepsPromises } from "./support/promises.ts";
import { rawStream } from "./support/raw-stream.ts";
import { postsFor } from "./support/upstream.ts";

let aimock: Aimock;
beforeAll(async () => {
  aimock = await startAimock();
  return aimock.stop;
});
beforeEach(() => aimock.reset());

/** aimock cuts between UTF-16 units, so pieces of three go through the middle of characters. */
const content = "An answer, 👍👍👍 in pieces of three.";

describe("aimock differs from OpenAI", () => {
  test("it numbers nothing and says nothing of store, background or the turn before", async () => {
    await aimock.answers({ response: { content } });

    const { events } = await rawStream(aimock, {
      input: "?",
      background: true,
      previous_response_id: "resp_1",
    });

    expect(events.filter((event) => "sequence_number" in event)).toEqual([]);
    expect(Object.keys(events.at(-1)?.response ?? {}).sort()).toEqual([
      "created_at",
      "id",
      "model",
      "object",
      "output",
      "status",
      "usage",
    ]);
  });

  test("it ends a cut-off answer with response.completed, whose status says incomplete and no more", async () => {
    await aimock.answers({ response: { content, finishReason: "length" } });

    const { events } = await rawStream(aimock, { input: "?" });

    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { status: "incomplete" } });
    expect(events.at(-1)?.response).not.toHaveProperty("incomplete_details");
  });

  test("it ends a filtered answer with response.completed, whose status says failed", async () => {
    await aimock.answers({ response: { content, finishReason: "content_filter" } });

    const { events } = await rawStream(aimock, { input: "?" });

    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { status: "failed" } });
  });

  test("it keeps no answer, though it was asked to", async () => {
    await aimock.answers({ response: { content } });
    const { responseId } = await rawStream(aimock, { input: "?", store: true });

    const found = await fetch(`${aimock.baseUrl}/responses/${responseId}`);

    expect(found.status).toBe(404);
  });
});

describe("at aimock", () => {
  keepsPromises(async () => {
    await aimock.answers({
      response: { content, usage: { input_tokens: 3, output_tokens: 9 } },
      chunkSize: 3,
    });
    return {
      upstream: aimock,
      text: content,
      usage: { input_tokens: 3, output_tokens: 9, total_tokens: 12 },
      model: "gpt-somebody-elses",
      echoesStore: false,
    };
  });

  test("what goes out is the question and the settings given, and the request's id to find it by", async () => {
    await aimock.answers({ response: { content } });
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const { request_id } = await ask("What is the answer?", { settings: { max_output_tokens: 99 } });

    const [post] = await postsFor(aimock, request_id);
    expect(post?.body).toMatchObject({
      model: "gpt-somebody-elses",
      messages: [{ role: "user", content: "What is the answer?" }],
      stream: true,
    });
    expect(Object.keys(post?.headers ?? {}).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
  });

  test("an answer cut off at its length is incomplete and keeps its text, though the event says completed", async () => {
    await aimock.answers({ response: { content, finishReason: "length" } });
    const { ask, engine } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "incomplete", text: content });
    expect(answer).not.toHaveProperty("incomplete_reason");
    expect(await engine.session(answer.session_id)).not.toHaveProperty("latest_response_id");
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });

  test("a filtered answer is failed and keeps its text, though the event says completed", async () => {
    await aimock.answers({ response: { content, finishReason: "content_filter" } });
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "failed", text: content, failure: { code: "upstream_failed" } });
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });

  test("reasoning is no part of the answer's text", async () => {
    await aimock.answers({ response: { content, reasoning: "Let me think." } });
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?", { settings: { model: "o3-somebody-elses" } });

    expect(answer).toMatchObject({ status: "completed", text: content });
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });

  test("an answer without text says what there is in place of it", async () => {
    await aimock.answers({ response: { toolCalls: [{ name: "look_up", arguments: "{}" }] } });
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "completed", text: "", output_kinds: ["function_call"] });
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });
});

describe("aimock refusing", () => {
  test("a rate limit that soon passes is waited for, and the answer is paid for once", async () => {
    await aimock.answers({ response: { content } });
    await aimock.refusesNext(429, "rate_limit_exceeded");
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "completed", text: content, attempts: 2 });
    expect((await postsFor(aimock, answer.request_id)).map(({ status }) => status)).toEqual([429, 200]);
  });

  test("a rate limit that outlasts the deadline fails at once and says how long it lasts", async () => {
    await refuses(429, "rate_limit_exceeded", 60);
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?", { settings: { timeout_ms: 30_000 } });

    expect(answer).toMatchObject({ status: "failed", failure: { code: "rate_limited", retry_after_s: 60 } });
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });

  test("an exhausted quota is not tried again, though its reply says to come back in a second", async () => {
    await refuses(429, "insufficient_quota");
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({
      status: "failed",
      failure: { code: "quota_exhausted", retry_after_s: 1 },
    });
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });

  test.each([
    [503, "upstream_unavailable"],
    [409, "request_rejected"],
    [404, "request_rejected"],
  ])("a %i in the API's own envelope, with a request id, is a rejection", async (status, code) => {
    await refuses(status, "some_code");
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({
      status: "failed",
      failure: {
        code,
        http_status: status,
        upstream_code: "some_code",
        upstream_request_id: expect.any(String),
      },
    });
    expect(JSON.stringify(answer)).not.toContain("hold the prompt");
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });

  test("a 500 proves nothing, however well it is put", async () => {
    await aimock.answers({ response: { content }, chaos: { dropRate: 1 } });
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "unknown_outcome", lost_to: "gateway_error" });
    expect((await postsFor(aimock, answer.request_id)).map(({ status }) => status)).toEqual([500]);
  });

  const refuses = (status: number, code: string, retryAfter?: number) =>
    aimock.answers({
      response: {
        error: { message: "A message that may hold the prompt.", type: code, code },
        status,
        ...(retryAfter !== undefined && { retryAfter }),
      },
    });
});

describe("aimock breaking off", () => {
  /** Slow enough that what was written leaves before the socket is destroyed. */
  const slowly = { latency: 10, chunkSize: 4 };

  test("in the middle of a stream: it kept nothing, so nobody can know, and the session waits for a decision", async () => {
    await aimock.answers({ response: { content }, ...slowly, truncateAfterChunks: 7 });
    const { ask, engine } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({
      status: "unknown_outcome",
      lost_to: "reset",
      response_id: expect.any(String),
    });
    expect(answer.warnings).toEqual(["store_ignored"]);
    await expect(ask("And now?", { sessionId: answer.session_id })).rejects.toMatchObject({
      code: "session_unresolved",
    });
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);

    await engine.abandon(answer.request_id);
    await aimock.reset();
    await aimock.answers({ response: { content } });
    expect(await ask("And now?", { sessionId: answer.session_id })).toMatchObject({
      status: "completed",
      turn: 2,
    });
  });

  test("an id that it gave and does not know cannot be attached", async () => {
    await aimock.answers({ response: { content }, ...slowly, truncateAfterChunks: 7 });
    const { ask, engine } = await claimcheckAt(aimock.baseUrl);
    const { request_id, response_id = "" } = await ask("What is the answer?");

    const attaching = engine.attach(request_id, response_id, { budgetMs: 1_000 });

    await expect(attaching).rejects.toMatchObject({ code: "response_not_found" });
    expect(await engine.inspect(request_id)).toMatchObject({ status: "unknown_outcome" });
  });

  test.each([
    ["before a byte of its stream has left", { truncateAfterChunks: 5 }],
    ["as soon as it has read the request", { chaos: { disconnectRate: 1 } }],
  ])("%s: nobody can know, and nothing is sent again", async (_, fault) => {
    await aimock.answers({ response: { content }, ...fault });
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "unknown_outcome", lost_to: "reset" });
    expect(answer).not.toHaveProperty("response_id");
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });

  test("with a document that is no JSON, under a 200: that is no answer and no refusal either", async () => {
    await aimock.answers({ response: { content }, chaos: { malformedRate: 1 } });
    const { ask } = await claimcheckAt(aimock.baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "unknown_outcome", lost_to: "not_a_stream" });
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });
});

describe("aimock dawdling", () => {
  test("headers that do not come in time are a loss, not a reason to ask again", async () => {
    await aimock.answers({ response: { content }, latency: 3_000 });
    const { ask } = await claimcheckAt(aimock.baseUrl, { firstByteMs: 300 });

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "unknown_outcome", lost_to: "first_byte_timeout" });
    expect(await postsFor(aimock, answer.request_id)).toHaveLength(1);
  });

  test("a caller's cancel stops the stream and keeps what had come, since background was ignored", async () => {
    await aimock.answers({ response: { content }, latency: 100, chunkSize: 1 });
    const { ask, engine } = await claimcheckAt(aimock.baseUrl);
    const { request_id } = await ask("What is the answer?", { waitMs: 0 });
    await until("text has come", async () => {
      const seen: (number | null)[] = [];
      await engine.wait(request_id, { budgetMs: 50, onProgress: ({ chars }) => seen.push(chars) });
      return seen.some((chars) => chars !== null && chars > 0);
    });

    await engine.cancel(request_id, { budgetMs: 5_000 });
    const answer = await engine.wait(request_id, { budgetMs: 5_000 });

    expect(answer).toMatchObject({ status: "incomplete", incomplete_reason: "cancelled" });
    expect(answer.text).not.toBe("");
    expect(content.startsWith(answer.text ?? "-")).toBe(true);
    expect(await postsFor(aimock, request_id)).toHaveLength(1);
  });
});

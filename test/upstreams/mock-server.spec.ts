import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/engine/clock.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { until } from "../support/world.ts";
import { claimcheckAt } from "./support/claimcheck.ts";
import { hasJava, type MockServer, startMockServer, type WireEvent } from "./support/mock-server.ts";
import { keepsPromises } from "./support/promises.ts";
import { rawStream } from "./support/raw-stream.ts";
import { callsAbout, postsFor } from "./support/upstream.ts";

const java = hasJava();
const title = java ? "MockServer" : "MockServer, SKIPPED: there is no java on the PATH";
if (!java) console.warn(`\n*** ${title}. Install a Java 11 or later to run these tests. ***\n`);

describe.skipIf(!java)(title, () => {
  let server: MockServer;
  beforeAll(async () => {
    server = await startMockServer();
    return server.stop;
  });
  beforeEach(() => server.reset());

  const text = "An answer 👍 that takes a few words.";
  const usage = { inputTokens: 3, outputTokens: 9, reasoningTokens: 2 };

  describe("differs from OpenAI", () => {
    test("it numbers nothing, echoes nothing, and its response.completed has no output", async () => {
      await server.answers({ text, streaming: true });

      const { events } = await rawStream(server, {
        input: "?",
        background: true,
        previous_response_id: "resp_1",
      });

      expect(events.filter((event) => "sequence_number" in event)).toEqual([]);
      expect(events.at(-1)?.type).toBe("response.completed");
      expect(Object.keys(events.at(-1)?.response ?? {}).sort()).toEqual([
        "id",
        "model",
        "object",
        "status",
        "usage",
      ]);
    });

    test("it calls an answer completed that was cut off at its length", async () => {
      await server.answers({ text, streaming: true, stopReason: "length" });

      const { events } = await rawStream(server, { input: "?" });

      expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
    });

    test("it keeps what it gave as a whole, and nothing that it streamed", async () => {
      await server.answers({ text, streaming: true });
      const streamed = await rawStream(server, { input: "?" });
      await server.reset();
      await server.answers({ text, streaming: false });
      const whole = await wholeAnswer();

      expect((await fetch(`${server.baseUrl}/responses/${streamed.responseId}`)).status).toBe(404);
      expect((await fetch(`${server.baseUrl}/responses/${whole}`)).status).toBe(200);
    });
  });

  keepsPromises(async () => {
    await server.answers({ text, streaming: true, usage });
    return {
      upstream: server,
      text,
      usage: {
        input_tokens: 3,
        output_tokens: 9,
        total_tokens: 12,
        output_tokens_details: { reasoning_tokens: 2 },
      },
      model: "gpt-by-codec",
      echoesStore: false,
    };
  });

  describe("answering", () => {
    test("what it calls completed is completed, since nothing says otherwise", async () => {
      await server.answers({ text, streaming: true, stopReason: "length" });
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "completed", text });
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test("with the whole response though a stream was asked for: that is the answer", async () => {
      await server.answers({ text, streaming: false, usage });
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({
        status: "completed",
        text,
        warnings: ["store_ignored", "model_differs"],
      });
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test("without text: the answer says what there is in place of it", async () => {
      await server.answers({
        toolCalls: [{ id: "call_1", name: "look_up", arguments: "{}" }],
        streaming: true,
      });
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "completed", text: "", output_kinds: ["function_call"] });
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test("and then breaking the stream's grammar: what came after the end is not heard", async () => {
      await server.answers({ text, streaming: true }, { malformedSse: true });
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "completed", text });
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });
  });

  describe("refusing", () => {
    test("with a rate limit that does not pass: tried while the deadline allows, and then failed", async () => {
      await server.answers(
        { text, streaming: true },
        { errorStatus: 429, retryAfter: "1", errorProbability: 1 },
      );
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?", { settings: { timeout_ms: 1_500 } });

      expect(answer).toMatchObject({ status: "failed", attempts: 2, failure: { code: "rate_limited" } });
      expect(await postsFor(server, answer.request_id)).toHaveLength(2);
    });

    test("with a 503 that bears no request id: a gateway may have said so, and nobody can know", async () => {
      await server.answers({ text, streaming: true }, { errorStatus: 503, errorProbability: 1 });
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "unknown_outcome", lost_to: "gateway_error" });
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });
  });

  describe("breaking off", () => {
    test("in the middle of a stream, politely: it kept nothing, so nobody can know", async () => {
      await server.answers(
        { text, streaming: true },
        { truncateMode: "MID_STREAM", truncateAtFraction: 0.5 },
      );
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({
        status: "unknown_outcome",
        lost_to: "ended",
        warnings: ["store_ignored", "model_differs"],
      });
      expect(await callsAbout(server, answer.response_id ?? "-", "GET")).toEqual([]);
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test.each([
      ["without a word", undefined],
      ["with bytes that are no HTTP", Buffer.from("\x00\x01 not http at all\r\n\r\n")],
    ])("%s: nobody can know, and nothing is sent again", async (_, bytes) => {
      await server.drops(bytes);
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "unknown_outcome", lost_to: "reset" });
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test("and having the answer after all: the caller who finds its id gets it for the request", async () => {
      await server.drops();
      const { ask, engine } = await claimcheckAt(server.baseUrl);
      const { request_id, session_id } = await ask("What is the answer?");
      await server.answers({ text, streaming: false });
      const found = await wholeAnswer();

      const answer = await engine.attach(request_id, found, { budgetMs: 5_000 });

      expect(answer).toMatchObject({ status: "completed", text, response_id: found });
      expect(await engine.session(session_id)).toMatchObject({ latest_response_id: found });
      expect(await postsFor(server, request_id)).toHaveLength(1);
    });
  });

  describe("breaking off beside an answer of somebody else's", () => {
    test("then that answer cannot be attached, whether or not an id of its own is known", async () => {
      await server.answers({ text, streaming: false });
      const { ask, engine } = await claimcheckAt(server.baseUrl);
      const other = await ask("What is the other answer?");
      await server.reset();
      await server.drops();
      await server.streams([
        event("response.created", { response: { id: "resp_lost", status: "in_progress" } }),
      ]);
      await server.finds(other.response_id ?? "-", 200, {
        id: other.response_id,
        status: "completed",
        output: [],
      });
      const nameless = await ask("What is the answer?");
      const named = await ask("What is the answer?");
      expect([nameless.response_id, named.response_id]).toEqual([undefined, "resp_lost"]);

      for (const { request_id } of [nameless, named]) {
        const attaching = engine.attach(request_id, other.response_id ?? "-", { budgetMs: 5_000 });
        await expect(attaching).rejects.toMatchObject({ code: "response_taken" });
        expect(await engine.inspect(request_id)).toMatchObject({ status: "unknown_outcome" });
      }
    });
  });

  describe("saying that it keeps the answer, and breaking off", () => {
    const kept = event("response.created", {
      response: { id: "resp_kept", status: "in_progress", store: true },
    });
    const answered = {
      id: "resp_kept",
      status: "completed",
      store: true,
      output: [{ type: "message", content: [{ type: "output_text", text }] }],
    };

    test("then it is asked, and its answer is the request's", async () => {
      await server.streams([kept]);
      await server.finds("resp_kept", 200, answered);
      const { ask } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "completed", text, warnings: [] });
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test("with an event that is no JSON: what follows it is not believed, and it is asked", async () => {
      const broken = { data: '{"type":"response.output_text.delta","delta":' };
      const doubtful = event("response.completed", { response: { id: "resp_kept", status: "completed" } });
      await server.streams([kept, broken, doubtful]);
      await server.finds("resp_kept", 200, answered);
      const { ask, engine } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "completed", text });
      expect(await lossOf(engine, answer.request_id)).toBe("malformed");
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test.each([
      ["and closing cleanly", undefined, "ended"],
      ["short of what it had announced", 5_000, "reset"],
    ])("with half an event, %s: half is nothing, and it is asked", async (_, claimedBytes, cause) => {
      const half = 'event: response.completed\ndata: {"type":"response.completed","resp';
      await server.sends(`data: ${kept.data}\n\n${half}`, claimedBytes);
      await server.finds("resp_kept", 200, answered);
      const { ask, engine } = await claimcheckAt(server.baseUrl);

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "completed", text });
      expect(await lossOf(engine, answer.request_id)).toBe(cause);
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test("by falling silent: the silence is not waited out, and it is asked", async () => {
      await server.streams([kept, { ...kept, delay: { timeUnit: "MILLISECONDS", value: 10_000 } }]);
      await server.finds("resp_kept", 200, answered);
      const { ask, engine } = await claimcheckAt(server.baseUrl, { idleMs: 300 });

      const answer = await ask("What is the answer?");

      expect(answer).toMatchObject({ status: "completed", text });
      expect(await lossOf(engine, answer.request_id)).toBe("idle");
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test("and not having it: it is asked for as long as reading may lag, and only then given up", async () => {
      let jumped = 0;
      const clock = { ...systemClock, now: () => Date.now() + jumped };
      await server.streams([kept]);
      const { ask, engine } = await claimcheckAt(server.baseUrl, { clock });
      const asked = await ask("What is the answer?", { waitMs: 1_000 });
      expect(asked).toMatchObject({ status: "recovery_required", recovering: true });
      expect((await callsAbout(server, "resp_kept", "GET")).length).toBeGreaterThan(1);

      jumped = 61_000;
      const answer = await engine.recover(asked.request_id, { budgetMs: 5_000 });

      expect(answer).toMatchObject({ status: "failed", failure: { code: "response_missing" } });
      expect(await postsFor(server, answer.request_id)).toHaveLength(1);
    });

    test("and being late with it: 404 at first is no answer", async () => {
      await server.streams([kept]);
      const { ask, engine } = await claimcheckAt(server.baseUrl);
      const { request_id } = await ask("What is the answer?", { waitMs: 0 });
      await until(
        "it was asked in vain",
        async () => (await callsAbout(server, "resp_kept", "GET")).length > 0,
      );

      await server.finds("resp_kept", 200, answered);
      const answer = await engine.wait(request_id, { budgetMs: 10_000 });

      expect(answer).toMatchObject({ status: "completed", text });
      expect(await postsFor(server, request_id)).toHaveLength(1);
    });
  });

  /** Has it give and keep an answer for somebody else; returns its id. */
  async function wholeAnswer(): Promise<string> {
    const reply = await fetch(`${server.baseUrl}/responses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-somebody-elses", input: "?", store: true }),
    });
    return /"id":"(resp_[^"]+)"/.exec(await reply.text())?.[1] ?? "";
  }
});

async function lossOf(engine: Engine, requestId: string) {
  const lost = (await engine.journal(requestId)).find(({ event: type }) => type === "upstream.lost");
  return lost?.payload["cause"];
}

function event(type: string, rest: object): WireEvent {
  return { event: type, data: JSON.stringify({ type, ...rest }) };
}

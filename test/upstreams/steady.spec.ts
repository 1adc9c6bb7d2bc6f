import { beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import { until } from "../support/world.ts";
import { claimcheckAt } from "./support/claimcheck.ts";
import { keepsPromises } from "./support/promises.ts";
import { rawStream } from "./support/raw-stream.ts";
import { type Steady, startSteady } from "./support/steady.ts";
import { callsAbout, postsFor } from "./support/upstream.ts";

let steady: Steady;
beforeAll(async () => {
  steady = await startSteady();
  return steady.stop;
});

const text = "An answer made up from a schema.";
const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 };

describe("Steady differs from OpenAI", () => {
  test("its streams are one kind of event again and again, each with another id, and an empty one at the end", async () => {
    const { events } = await rawStream(steady.at("stopping"), { input: "?" });

    expect(events.map(({ type }) => type)).toEqual([...Array(4).fill("response.created"), undefined]);
    expect(new Set(events.map(({ response }) => response?.id)).size).toBe(5);
    expect(events.filter((event) => "sequence_number" in event)).toEqual([]);
  });

  test("it holds every call against its document and says what is wrong in a shape of its own", async () => {
    const refused = await fetch(`${steady.at("stopping").baseUrl}/responses`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", input: "?", store: "yes", stream: true, temprature: 1 }),
    });

    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: "Validation failed" });
    expect(refused.headers.has("x-request-id")).toBe(false);
  });
});

describe("at Steady", () => {
  keepsPromises(async () => ({
    upstream: steady.at("repeating"),
    text,
    usage,
    model: "gpt-by-schema",
    echoesStore: true,
  }));

  test("every option goes out as the API's document has it", async () => {
    const { ask } = await claimcheckAt(steady.at("repeating").baseUrl);
    const first = await ask("What is the answer?");
    const before = (await steady.complaints()).length;

    const answer = await ask("And why?", {
      sessionId: first.session_id,
      instructions: "Be brief.",
      settings: { reasoning_effort: "high", verbosity: "low", max_output_tokens: 99, background: true },
    });

    expect((await steady.complaints()).slice(before)).toEqual([]);
    const [post] = await postsFor(steady, answer.request_id);
    expect(post?.body).toEqual({
      model: "gpt-somebody-elses",
      input: "And why?",
      instructions: "Be brief.",
      previous_response_id: first.response_id,
      store: true,
      stream: true,
      background: true,
      max_output_tokens: 99,
      reasoning: { effort: "high" },
      text: { verbosity: "low" },
      metadata: { claimcheck_request_id: answer.request_id },
    });
  });

  test("an option that it does not take is a rejection, and the session goes on without it", async () => {
    const { ask } = await claimcheckAt(steady.at("repeating").baseUrl);

    const refused = await ask("What is the answer?", { settings: { reasoning_effort: "max" } });

    expect(refused).toMatchObject({
      status: "failed",
      failure: { code: "request_rejected", http_status: 400 },
    });
    expect(await postsFor(steady, refused.request_id)).toHaveLength(1);
    const again = { sessionId: refused.session_id, settings: { reasoning_effort: "high" } } as const;
    expect(await ask("What is the answer?", again)).toMatchObject({ status: "completed", text });
  });

  test("a rate limit that does not say for how long fails at once", async () => {
    const { ask } = await claimcheckAt(steady.at("limited").baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "failed", failure: { code: "rate_limited", http_status: 429 } });
    expect(answer.failure).not.toHaveProperty("retry_after_s");
    expect((await postsFor(steady, answer.request_id)).map(({ status }) => status)).toEqual([429]);
  });
});

describe("a stream at Steady that ends without a terminal event", () => {
  test("is asked for where it was stored, by the first id it gave", async () => {
    const { ask, engine } = await claimcheckAt(steady.at("stopping").baseUrl);

    const answer = await ask("What is the answer?", { settings: { background: false } });

    expect(answer).toMatchObject({ status: "completed", text, usage });
    expect(await events(engine, answer.request_id)).toEqual([
      "claimed",
      "upstream.accepted",
      "upstream.lost",
      "upstream.completed",
    ]);
    expect(await callsAbout(steady, answer.response_id ?? "-", "GET")).toHaveLength(1);
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
  });

  test("is taken up again where it runs in the background, until that brings nothing new; then it is asked for", async () => {
    const { ask, engine } = await claimcheckAt(steady.at("resuming").baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "completed", text, usage });
    const reattached = (await events(engine, answer.request_id)).filter(
      (event) => event === "stream.reattached",
    );
    expect(reattached).toHaveLength(3);
    const gets = await callsAbout(steady, answer.response_id ?? "-", "GET");
    expect(gets.map(({ headers }) => headers["accept"])).toEqual([
      ...Array(3).fill("text/event-stream"),
      "application/json",
    ]);
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
  });

  test("nobody can know of where storing was not mentioned", async () => {
    const { ask } = await claimcheckAt(steady.at("forgetful").baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({
      status: "unknown_outcome",
      lost_to: "ended",
      warnings: ["store_ignored", "model_differs"],
    });
    expect(await callsAbout(steady, answer.response_id ?? "-", "GET")).toEqual([]);
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
  });

  test("is no answer though text came, where no response was ever named", async () => {
    const { ask } = await claimcheckAt(steady.at("nameless").baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "unknown_outcome", lost_to: "ended" });
    expect(answer).not.toHaveProperty("text");
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
  });

  test("is no answer where every field holds something else than its name says", async () => {
    const { ask } = await claimcheckAt(steady.at("nonsense").baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "unknown_outcome" });
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
  });

  test("that never will have one can be cancelled upstream, once", async () => {
    const { ask, engine } = await claimcheckAt(steady.at("waiting").baseUrl);
    const asked = await ask("What is the answer?", { waitMs: 0 });
    await until("it is no longer resumed but asked for", async () => {
      const { response_id = "-" } = await engine.inspect(asked.request_id);
      const gets = await callsAbout(steady, response_id, "GET");
      return gets.some(({ headers }) => headers["accept"] === "application/json");
    });
    expect(await engine.inspect(asked.request_id)).toMatchObject({
      status: "recovery_required",
      recovering: true,
    });

    await engine.cancel(asked.request_id, { budgetMs: 5_000 });
    const answer = await engine.wait(asked.request_id, { budgetMs: 5_000 });

    expect(answer).toMatchObject({ status: "incomplete", incomplete_reason: "cancelled" });
    expect(await callsAbout(steady, answer.response_id ?? "-", "POST")).toHaveLength(1);
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
  });
});

describe("an end at Steady", () => {
  test("counts at the first terminal event, whatever still follows under other ids", async () => {
    const { ask, engine } = await claimcheckAt(steady.at("repeating").baseUrl);

    const answer = await ask("What is the answer?");

    expect(await events(engine, answer.request_id)).toEqual(["claimed", "upstream.completed"]);
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
    expect(await engine.session(answer.session_id)).toMatchObject({ latest_response_id: answer.response_id });
  });

  test("that says nothing at all is looked up before it is believed", async () => {
    const { ask } = await claimcheckAt(steady.at("hollow").baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "completed", text, usage });
    expect(await callsAbout(steady, answer.response_id ?? "-", "GET")).toHaveLength(1);
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
  });

  test("can be the whole response as JSON, though a stream was asked for", async () => {
    const { ask } = await claimcheckAt(steady.at("whole").baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "completed", text, usage, warnings: ["model_differs"] });
    const [post, ...more] = await postsFor(steady, answer.request_id);
    expect(post?.headers["accept"]).toBe("text/event-stream");
    expect(more).toEqual([]);
  });

  test("can be only the promise of one as JSON, which is then collected", async () => {
    const { ask, engine } = await claimcheckAt(steady.at("promising").baseUrl);

    const answer = await ask("What is the answer?");

    expect(answer).toMatchObject({ status: "completed", text, usage });
    expect((await events(engine, answer.request_id)).slice(0, 3)).toEqual([
      "claimed",
      "upstream.accepted",
      "upstream.lost",
    ]);
    expect(await postsFor(steady, answer.request_id)).toHaveLength(1);
  });

  test("of one request is never read as another's, though both were given one id", async () => {
    const { ask, engine } = await claimcheckAt(steady.at("twins").baseUrl);
    const asked = { settings: { background: false }, waitMs: 3_000 };

    const first = await ask("What is the answer?", asked);
    const second = await ask("What is the question?", asked);

    expect(first).toMatchObject({ status: "completed", text, response_id: "resp_twin" });
    expect(second).toMatchObject({ status: "unknown_outcome", lost_to: "ended" });
    expect(second).not.toHaveProperty("response_id");
    const attaching = engine.attach(second.request_id, "resp_twin", { budgetMs: 3_000 });
    await expect(attaching).rejects.toMatchObject({ code: "response_taken" });
    expect(await engine.inspect(second.request_id)).toMatchObject({ status: "unknown_outcome" });
    expect(await callsAbout(steady, "resp_twin", "GET")).toHaveLength(2); // The first's, and the attempt to attach.
    expect(await postsFor(steady, second.request_id)).toHaveLength(1);
  });
});

async function events(engine: Engine, requestId: string) {
  return (await engine.journal(requestId)).map(({ event }) => event);
}

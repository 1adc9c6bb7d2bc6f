import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { accepted, answer, completed, lost, untilAborted } from "../support/scripted-provider.ts";
import { mortal, workshop } from "../support/workshop.ts";
import { until } from "../support/world.ts";

it("an answer is given, kept, and replayed from any process without another call", async () => {
  const { chat, provider, another } = await workshop();
  provider.nextStream([accepted(), completed("forty-two")]);
  const requestId = randomUUID();
  const first = await chat("what?", { requestId });
  expect(first).toMatchObject({
    status: "completed",
    text: "forty-two",
    response_id: "resp_1",
    model: "model-actual",
  });

  const again = await (await another()).chat("what?", { requestId });
  expect(again).toMatchObject({ status: "completed", text: "forty-two", replayed: true });
  expect(provider.sent).toHaveLength(1);
});

it("the same id with other arguments is refused by the names of the fields, and nothing is sent", async () => {
  const { chat, provider } = await workshop();
  provider.nextStream([accepted(), completed("yes")]);
  const requestId = randomUUID();
  await chat("one", { requestId });
  await expect(chat("two", { requestId })).rejects.toMatchObject({
    code: "request_conflict",
    details: { fields: ["message"] },
  });
  expect(provider.sent).toHaveLength(1);
});

it("an equal call without an id joins the one under way instead of paying again", async () => {
  const { chat, provider } = await workshop();
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  provider.nextStream(async function* () {
    yield accepted();
    await held;
    yield completed("once");
  });
  const receipt = await chat("same", {}, { budgetMs: 50 });
  expect(["claimed", "streaming"]).toContain(receipt.status);
  const joined = chat("same");
  finish();
  expect(await joined).toMatchObject({
    status: "completed",
    joined: true,
    request_id: receipt.request_id,
    text: "once",
  });
  expect(provider.sent).toHaveLength(1);
});

it("an equal call after the answer was delivered is a new question", async () => {
  const { chat, provider } = await workshop();
  provider.nextStream([accepted(), completed("one")]);
  provider.nextStream([accepted("resp_2"), completed("two", "resp_2")]);
  await chat("same");
  expect(await chat("same")).toMatchObject({ text: "two" });
  expect(provider.sent).toHaveLength(2);
});

it("a caller who leaves takes nothing with it: the answer waits, undelivered", async () => {
  const { chat, engine, provider } = await workshop();
  const caller = new AbortController();
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  provider.nextStream(async function* () {
    yield accepted();
    await held;
    yield completed("patience");
  });
  const asked = chat("slow", {}, { signal: caller.signal });
  await until("it is sent", () => provider.sent.length === 1 || null);
  caller.abort();
  const { request_id } = await asked;
  finish();
  const inbox = await until("it is in the inbox", async () => {
    const view = await engine.inbox({ limit: 10 });
    return view.unread.length > 0 && view;
  });
  expect(inbox.unread[0]).toMatchObject({ request_id, delivered: false });
  expect(await engine.read(request_id, 0, { budgetMs: 0 })).toMatchObject({ text: "patience" });
  expect((await engine.inbox({ limit: 10 })).unread).toEqual([]);
});

it("turns chain through the last completed response, and no failure moves the pointer", async () => {
  const { chat, provider } = await workshop();
  provider.nextStream([accepted("resp_1"), completed("one", "resp_1")]);
  const { session_id: sessionId } = await chat("first");
  provider.nextStream([
    accepted("resp_2", "resp_1"),
    {
      type: "upstream.incomplete",
      outcome: answer("half", { responseId: "resp_2", reason: "max_output_tokens" }),
    },
  ]);
  expect(await chat("second", { sessionId })).toMatchObject({
    status: "incomplete",
    incomplete_reason: "max_output_tokens",
  });
  provider.nextStream([accepted("resp_3", "resp_1"), completed("three", "resp_3", "resp_1")]);
  await chat("third", { sessionId });
  expect(provider.sent.map((call) => call.previousResponseId)).toEqual([null, "resp_1", "resp_1"]);
});

it("an upstream that ignored the conversation is flagged and does not advance the session", async () => {
  const { chat, engine, provider } = await workshop();
  provider.nextStream([accepted("resp_1"), completed("one", "resp_1")]);
  const { session_id: sessionId } = await chat("first");
  provider.nextStream([accepted("resp_2", null), completed("two", "resp_2", null)]);
  const second = await chat("second", { sessionId });
  expect(second).toMatchObject({ status: "completed", warnings: ["context_ignored", "model_differs"] });
  expect(await engine.session(sessionId)).toMatchObject({ latest_response_id: "resp_1" });
});

it("an unresolved request holds its session until it is abandoned, and the error names both ways out", async () => {
  const { chat, engine, provider } = await workshop();
  provider.nextStream([accepted(), completed("one")]);
  const { session_id: sessionId } = await chat("first");
  provider.nextStream([lost("reset")]);
  const lostTurn = await chat("second", { sessionId });
  expect(lostTurn.status).toBe("unknown_outcome");
  await expect(chat("third", { sessionId })).rejects.toMatchObject({ code: "session_unresolved" });
  await engine.abandon(lostTurn.request_id);
  expect((await engine.abandon(lostTurn.request_id)).status).toBe("abandoned");
  provider.nextStream([accepted("resp_3", "resp_1"), completed("three", "resp_3", "resp_1")]);
  expect(await chat("third", { sessionId })).toMatchObject({ text: "three" });
});

it("two upstream responses with one id are both delivered, but neither is asked for by it twice", async () => {
  const { chat, provider } = await workshop();
  provider.nextStream([accepted("resp_same"), completed("one", "resp_same")]);
  provider.nextStream([accepted("resp_same"), completed("two", "resp_same")]);
  expect(await chat("a")).toMatchObject({ text: "one" });
  expect(await chat("b")).toMatchObject({ status: "completed", text: "two" });
});

it("at the live limit a call waits its turn, and is refused by name when its wait is over", async () => {
  const { chat, provider } = await workshop({ policy: { maxLive: 1 } });
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  provider.nextStream(async function* () {
    yield accepted("resp_1");
    await held;
    yield completed("one", "resp_1");
  });
  const first = await chat("first", {}, { budgetMs: 30 });
  await expect(chat("second", {}, { budgetMs: 30 })).rejects.toMatchObject({
    code: "too_many_live",
    details: { requests: [first.request_id] },
  });
  provider.nextStream([accepted("resp_2"), completed("two", "resp_2")]);
  const waiting = chat("second");
  finish();
  expect(await waiting).toMatchObject({ text: "two" });
});

it("a request of a dead owner becomes unknown where nothing was heard, and is never sent again", async () => {
  const dead = new Set<string>();
  const identity = mortal(dead);
  const { chat, provider, another } = await workshop({ identity, dead });
  provider.nextStream(async function* (signal) {
    await untilAborted(signal);
    yield lost("reset");
  });
  const requestId = randomUUID();
  expect((await chat("gone", { requestId }, { budgetMs: 30 })).status).toBe("claimed");
  dead.add(identity.owner);
  const heir = await another({ identity: mortal(dead) });
  expect(await heir.chat("gone", { requestId })).toMatchObject({ status: "unknown_outcome" });
  expect((await heir.engine.inbox({ limit: 5 })).attention).toMatchObject([{ request_id: requestId }]);
  expect(provider.sent).toHaveLength(1);
});

it("a request of a dead owner whose response id is known is collected by whoever asks", async () => {
  const dead = new Set<string>();
  const identity = mortal(dead);
  const { chat, provider, another } = await workshop({ identity, dead });
  provider.nextStream(async function* (signal) {
    yield accepted();
    await untilAborted(signal);
  });
  const requestId = randomUUID();
  await chat("saved", { requestId }, { budgetMs: 50 });
  dead.add(identity.owner);
  provider.retrievals(
    { type: "retrieval.pending", status: "in_progress", model: null, echo: {} },
    completed("late"),
  );
  const heir = await another({ identity: mortal(dead) });
  expect(await heir.chat("saved", { requestId })).toMatchObject({
    status: "completed",
    text: "late",
    response_id: "resp_1",
  });
  expect(provider.sent).toHaveLength(1);
});

it("a worker that lost its lease but holds the answer still delivers it", async () => {
  const dead = new Set<string>();
  const identity = mortal(dead);
  const { chat, provider, another } = await workshop({ identity, dead });
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  provider.nextStream(async function* () {
    await held;
    yield accepted();
    yield completed("zombie's gift");
  });
  const requestId = randomUUID();
  await chat("slow", { requestId }, { budgetMs: 30 });
  dead.add(identity.owner);
  const heir = await another({ identity: mortal(dead) });
  expect((await heir.chat("slow", { requestId })).status).toBe("unknown_outcome");
  finish();
  const settled = await until("the late answer is in", async () => {
    const view = await heir.engine.read(requestId, 0, { budgetMs: 200 });
    return view.status === "completed" && view;
  });
  expect(settled.text).toBe("zombie's gift");
});

it("the deadline ends the stream, not the answer", async () => {
  const { chat, provider } = await workshop();
  provider.nextStream(async function* (signal) {
    yield accepted();
    yield { type: "progress", chars: 3, sequence: 1 };
    await untilAborted(signal);
    yield { type: "aborted", partial: answer("par"), carry: null };
  });
  provider.retrievals(
    { type: "retrieval.pending", status: "in_progress", model: null, echo: {} },
    completed("whole"),
  );
  const view = await chat("slow", { settings: { timeout_ms: 1_000 } });
  expect(view).toMatchObject({ status: "completed", text: "whole" });
  expect(view.warnings).toContain("late");
  expect(provider.resumed).toEqual([]);
});

it("what provably did not start is tried again inside the same claim", async () => {
  const { chat, provider, engine } = await workshop();
  const refused = {
    type: "upstream.unstarted",
    failure: { code: "connection_failed", cause: "ECONNREFUSED" },
    retryAfterMs: 5,
  } as const;
  provider.nextStream([refused]);
  provider.nextStream([refused]);
  provider.nextStream([accepted(), completed("third time lucky")]);
  const view = await chat("try");
  expect(view).toMatchObject({ status: "completed", attempts: 3 });
  expect((await engine.journal(view.request_id)).map((row) => row.event)).toEqual([
    "claimed",
    "upstream.unstarted",
    "retry.due",
    "upstream.unstarted",
    "retry.due",
    "upstream.accepted",
    "upstream.completed",
  ]);
});

it("a cancelled background response keeps its partial text and is asked for once", async () => {
  const { chat, engine, provider } = await workshop();
  provider.nextStream(async function* (signal) {
    yield accepted();
    yield { type: "progress", chars: 7, sequence: 1 };
    await untilAborted(signal);
    yield { type: "aborted", partial: answer("partial", { reason: "cancelled" }), carry: null };
  });
  provider.cancels({ type: "upstream.cancelled", outcome: answer("", { reason: "cancelled" }) });
  const { request_id } = await chat("long", {}, { budgetMs: 50 });
  await engine.cancel(request_id, { budgetMs: 2_000 });
  const view = await engine.wait(request_id, { budgetMs: 2_000 });
  expect(view).toMatchObject({ status: "incomplete", incomplete_reason: "cancelled", text: "partial" });
  await engine.cancel(request_id, { budgetMs: 100 });
  expect(provider.cancelled).toEqual(["resp_1"]);
});

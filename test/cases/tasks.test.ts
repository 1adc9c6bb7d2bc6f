/** A host that takes tasks has one for every answer that is still being made, and the answer from any process. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  answerOf,
  declared,
  receiptOf,
  resultOf,
  type TaskHost,
  taskHost,
  tasks,
  undeclared,
} from "../mcp/support/task-host.ts";
import { openIn } from "../support/eras.ts";
import { everyKind } from "../support/every-kind.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import { said, stepIn } from "../support/said.ts";
import { standing } from "../support/standing.ts";
import { spawnServer } from "../support/stdio.ts";
import { temporaryDirectory, until, type World, world } from "../support/world.ts";

const message = "Held.";
const answer = { status: "completed", text: "You said: Held.", isError: false };

/** A task for an answer that upstream holds back until it is released. */
async function held(here: World, host: TaskHost) {
  const id = randomUUID();
  here.sim.script({ match: { message }, scenario: "hold_mid_text" });
  const created = await host.call("chat", { message, request_id: id });
  await until("it is held", () => here.sim.ledger.holding === 1);
  await untilRow(here.dataDir, id, "is streaming", ({ state }) => state === "streaming");
  return { id, created };
}

describe("a call whose answer takes time", () => {
  test("has a task at once, which is on disk and is the receipt as well", async () => {
    const here = await world();
    const host = await taskHost(here);
    const since = performance.now();
    const { id, created } = await held(here, host);
    expect(performance.now() - since).toBeLessThan(5_000);

    const receipt = receiptOf(created);
    expect(receipt).toMatchObject({ status: "claimed", request_id: id });
    expect(stepIn(receipt["next"])).toEqual({ tool: "answers", args: { action: "wait", request_id: id } });
    expect(await host.get(id)).toMatchObject({ taskId: id, status: "working" });
    expect(requestRow(here.dataDir, id)).toMatchObject({ state: "streaming", delivered: 0 });
  });

  test("ends its task with the very result that waiting has, and then it is delivered", async () => {
    const here = await world();
    const host = await taskHost(here);
    const { id } = await held(here, host);
    here.sim.release();
    await untilRow(here.dataDir, id, "is settled", ({ state }) => state === "completed");
    expect(requestRow(here.dataDir, id)).toMatchObject({ delivered: 0 });

    const task = await host.get(id);
    expect(resultOf(task)).toMatchObject({ ...answer, request_id: id });
    expect(requestRow(here.dataDir, id)).toMatchObject({ delivered: 1 });
    const waited = answerOf(await host.call("answers", { action: "wait", request_id: id }));
    expect(waited).toEqual(resultOf(task));
    expect(await host.get(id)).toEqual(task);
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("is waited for as long as it says, and ends with the answer or a task", async () => {
    const here = await world();
    const host = await taskHost(here);
    const { id } = await held(here, host);
    const since = performance.now();
    const late = await host.call("answers", { action: "wait", request_id: id, wait_ms: 700 });
    expect(performance.now() - since).toBeGreaterThan(500);
    expect(answerOf(late)).toMatchObject({ status: "streaming", request_id: id, isError: false });

    const inTime = host.call("answers", { action: "wait", request_id: id, wait_ms: 10_000 });
    here.sim.release();
    expect(answerOf(await inTime)).toMatchObject(answer);
  });

  test("has its task from the call that began it alone; whoever else waits for it waits as ever", async () => {
    const here = await world();
    const host = await taskHost(here);
    const { id } = await held(here, host);

    await everyKind(standing, async (_, callFor) => {
      const [tool, args] = callFor(id);
      const receipt = answerOf(await host.call(tool, { ...args, wait_ms: 300 }));
      expect(receipt).toMatchObject({ status: "streaming", request_id: id, isError: false });
    });
    expect(answerOf(await host.call("request_status", { request_id: id }))).toMatchObject({
      status: "streaming",
    });
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("has none where the answer is there already", async () => {
    const here = await world();
    const host = await taskHost(here);
    const ask = { message: "Hello.", request_id: randomUUID() };
    await host.call("chat", ask);
    await host.ended(ask.request_id);

    expect(answerOf(await host.call("chat", ask))).toMatchObject({ status: "completed", replayed: true });
    const wrong = answerOf(await host.call("chat", { ...ask, message: "Another." }));
    expect(wrong).toMatchObject({ isError: true, code: "request_conflict" });
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("waits for its place among the live ones before there is a task", async () => {
    const here = await world();
    const host = await taskHost(here, { env: { CLAIMCHECK_MAX_LIVE: "1" } });
    await held(here, host);
    const next = { message: "Next.", request_id: randomUUID() };
    const waiting = host.call("chat", next);
    const refused = await host.call("chat", { message: "No patience.", wait_ms: 300 });
    expect(answerOf(refused)).toMatchObject({ isError: true, code: "too_many_live" });
    expect(requestRow(here.dataDir, next.request_id)).toBeNull();

    here.sim.release();
    const created = await waiting;
    if (created["resultType"] === "task") receiptOf(created);
    expect(resultOf(await host.ended(next.request_id))).toMatchObject({ text: "You said: Next." });
  });
});

describe("a task outlives the process that made it", () => {
  test("and ends for whoever asks, when that was killed", async () => {
    const here = await world();
    const first = await taskHost(here);
    const { id } = await held(here, first);
    await first.server.kill();

    const second = await taskHost(here);
    expect(await second.get(id)).toMatchObject({ taskId: id, status: "working" });
    here.sim.release();
    expect(resultOf(await second.ended(id))).toMatchObject({ ...answer, request_id: id });
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("and is the same for another that runs beside it, and for hosts that know no tasks", async () => {
    const here = await world();
    const [one, other] = [await taskHost(here), await taskHost(here)];
    const { id } = await held(here, one);
    expect(await other.get(id)).toMatchObject({ taskId: id, status: "working" });
    const plain = await openIn("2025-11-25", here);
    here.sim.release();
    expect(said(await plain.call("answers", { action: "wait", request_id: id }))).toMatchObject({
      text: answer.text,
    });
    expect(resultOf(await other.ended(id))).toMatchObject(answer);
  });
});

describe("what needs somebody ends the task, and says what to do", () => {
  test("an outcome that nobody can know; given up, the task is cancelled", async () => {
    const here = await world();
    const host = await taskHost(here);
    const id = randomUUID();
    here.sim.script({ times: 1, scenario: "reset_before_headers" });
    await host.call("chat", { message: "Lost.", request_id: id });

    const lost = resultOf(await host.ended(id));
    expect(lost).toMatchObject({ isError: true, status: "unknown_outcome", request_id: id });
    expect(lost["next"]).toContain(`request_status {"action":"abandon","request_id":"${id}"}`);
    await host.call("request_status", { request_id: id, action: "abandon" });
    expect(await host.get(id)).toMatchObject({ status: "cancelled" });
  });

  test("a request that failed", async () => {
    const here = await world();
    const host = await taskHost(here);
    const id = randomUUID();
    here.sim.script({ scenario: "wrong_key" });
    await host.call("chat", { message: "Hi.", request_id: id });
    expect(resultOf(await host.ended(id))).toMatchObject({
      isError: true,
      status: "failed",
      failure: { code: "authentication_failed" },
    });
  });
});

describe("tasks/cancel", () => {
  test("stops the work upstream once, keeps what was paid for, and changes nothing afterwards", async () => {
    const here = await world();
    const host = await taskHost(here);
    const { id } = await held(here, host);

    for (let times = 0; times < 3; times += 1) {
      const { _meta, ...acknowledged } = await host.request("tasks/cancel", { taskId: id });
      expect(acknowledged).toEqual({ resultType: "complete" });
    }
    const task = await host.ended(id);
    expect(resultOf(task)).toMatchObject({
      isError: true,
      status: "incomplete",
      incomplete_reason: "cancelled",
    });
    await host.request("tasks/cancel", { taskId: id });
    expect(await host.get(id)).toEqual(task);
    expect(here.sim.ledger).toMatchObject({ posts: 1, cancels: 1 });
  });

  test("leaves alone what has its answer, and what cannot be named upstream", async () => {
    const here = await world();
    const host = await taskHost(here);
    const [done, lost] = [randomUUID(), randomUUID()];
    await host.call("chat", { message: "Hello.", request_id: done });
    await host.ended(done);
    here.sim.script({ times: 1, scenario: "reset_before_headers" });
    await host.call("chat", { message: "Lost.", request_id: lost });
    await host.ended(lost);

    for (const taskId of [done, lost]) {
      const { timings: _, ...before } = resultOf(await host.get(taskId));
      await host.request("tasks/cancel", { taskId });
      expect(resultOf(await host.get(taskId))).toMatchObject(before);
    }
    expect(here.sim.ledger.cancels).toBe(0);
  });
});

test("tasks/update is acknowledged and changes nothing: nothing here waits for input", async () => {
  const here = await world();
  const host = await taskHost(here);
  const { id } = await held(here, host);
  const before = await host.get(id);
  const inputResponses = { confirm: { action: "accept", content: { confirm: true } } };
  const { _meta, ...acknowledged } = await host.request("tasks/update", { taskId: id, inputResponses });
  expect(acknowledged).toEqual({ resultType: "complete" });
  expect(await host.get(id)).toEqual(before);
  here.sim.release();
});

const methods = ["tasks/get", "tasks/update", "tasks/cancel"] as const;

describe.each(methods)("%s", (method) => {
  const unknown: [string, unknown][] = [
    ["an id that nothing has", randomUUID()],
    ["no UUID", "task-1"],
    ["a number", 7],
    ["nothing", undefined],
  ];

  test("knows no other ids, and says where to look", async () => {
    const host = await taskHost(await world());
    await everyKind(unknown, async (_, taskId) => {
      const fault = await host.fault(method, { taskId });
      expect(fault).toMatchObject({ code: -32_602, data: { code: "unknown_request" } });
      const step = stepIn(fault.message);
      answerOf(await host.call(step.tool, step.args));
    });
  });

  test("is refused to who does not declare the extension with that very request", async () => {
    const here = await world();
    const host = await taskHost(here);
    const { id } = await held(here, host);
    expect(await host.fault(method, { taskId: id }, undeclared)).toMatchObject({
      code: -32_021,
      data: { requiredCapabilities: { extensions: { [tasks]: {} } } },
    });
    here.sim.release();
  });

  test("tells of a database that cannot be opened, and what is to be done about it", async () => {
    const here = await world();
    const dataDir = join(temporaryDirectory(), "occupied");
    writeFileSync(dataDir, "a file where the directory should be");
    const host = await taskHost({ ...here, dataDir });
    const fault = await host.fault(method, { taskId: randomUUID() });
    expect(fault).toMatchObject({ code: -32_603, data: { code: "storage_unavailable" } });
    expect(fault.message).toMatch(/data directory/);
  });
});

describe("who did not declare the extension", () => {
  test("with a request has a receipt for it, whatever it declared before", async () => {
    const here = await world();
    const host = await taskHost(here);
    await held(here, host);
    const result = await host.call("chat", { message, request_id: randomUUID(), wait_ms: 300 }, undeclared);
    expect(result).toMatchObject({ resultType: "complete" });
    expect(result).not.toHaveProperty("taskId");
    here.sim.release();
  });

  test("because it opened with a handshake hears of no tasks", async () => {
    const here = await world();
    const server = spawnServer({ upstream: here.sim.url, dataDir: here.dataDir });
    const { capabilities } = await server.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: { extensions: { [tasks]: {} }, tasks: {} },
      clientInfo: { name: "test-client", version: "1.0.0" },
    });
    server.notify("notifications/initialized");
    expect(JSON.stringify(capabilities)).not.toMatch(/tasks/);

    here.sim.script({ match: { message }, scenario: "hold_mid_text" });
    const params = { name: "chat", arguments: { message, wait_ms: 300 }, _meta: declared };
    const receipt = await server.request("tools/call", params);
    expect(receipt).not.toHaveProperty("taskId");
    const { error } = await server.begin("tasks/get", { taskId: randomUUID() }).reply;
    expect(error).toMatchObject({ code: -32_601 });
    here.sim.release();
    await server.kill();
  });
});

test("the extension is declared where the server is asked what it can do", async () => {
  const host = await taskHost(await world());
  const { capabilities } = await host.request("server/discover", {});
  expect(capabilities).toMatchObject({ extensions: { [tasks]: {} } });
});

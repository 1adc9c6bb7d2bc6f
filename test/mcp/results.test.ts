import type { JsonSchemaType } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, test } from "vitest";
import { requestStates } from "../../machines/states.ts";
import { ClaimcheckError, errorCodes } from "../../src/contract/errors.ts";
import type { RequestView } from "../../src/contract/views.ts";
import { failed } from "../../src/mcp/failure.ts";
import { connect, type Reply } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { allTools } from "./support/tools.ts";
import { aRequest, aSession, otherId, requestId, sessionId } from "./support/views.ts";

const ask = ["chat", { message: "What is six by seven?" }] as const;
const wait = ["answers", { action: "wait", request_id: requestId }] as const;
const read = ["answers", { action: "read", request_id: requestId, offset: 6 }] as const;
const inspect = ["request_status", { request_id: requestId }] as const;

/** One call of every action of every tool. */
const everyCall = [
  ask,
  wait,
  read,
  ["answers", { action: "inbox" }],
  ["answers", { action: "history", session_id: sessionId }],
  ["sessions", { operation: "list" }],
  ["sessions", { operation: "get", session_id: sessionId }],
  ["sessions", { operation: "configure", session_id: sessionId, model: "gpt-test" }],
  ["sessions", { operation: "delete", session_id: sessionId }],
  inspect,
  ["request_status", { request_id: requestId, action: "recover" }],
  ["request_status", { request_id: requestId, action: "abandon" }],
  ["request_status", { request_id: requestId, action: "cancel" }],
  ["request_status", { request_id: requestId, action: "attach", response_id: "resp_1" }],
] as const;

function expectValid(tool: string, { structured }: Reply): void {
  const schema = allTools.find(({ name }) => name === tool)?.listed().outputSchema;
  const validate = new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType);
  expect(validate(structured)).toMatchObject({ valid: true });
}

describe("both channels hold the whole outcome", () => {
  test.each(everyCall)("%s %o succeeds the same in structure and in text", async (tool, args) => {
    const { call } = await connect();
    const reply = await call(tool, args);
    expect(reply.isError).toBe(false);
    expect(JSON.parse(reply.text)).toEqual(reply.structured);
    expectValid(tool, reply);
  });

  test.each(everyCall)("%s %o fails the same in structure and in text", async (tool, args) => {
    const error = new ClaimcheckError("storage_full", "The disk is full.", { details: { limit: "disk" } });
    const { call } = await connect({ engine: async () => Promise.reject(error) });
    const reply = await call(tool, args);
    expect(reply.isError).toBe(true);
    expect(JSON.parse(reply.text)).toEqual(reply.structured);
    expect(reply.structured).toMatchObject({
      status: "error",
      code: "storage_full",
      message: "The disk is full.",
      next: expect.stringMatching(/disk/),
      details: { limit: "disk" },
    });
    expectValid(tool, reply);
  });

  test("what a caller must know stands before the text, where no host cuts", async () => {
    const engine = fakeEngine({ ask: async () => aRequest({ text: "long ".repeat(9) }) });
    const { call } = await connect({ engine });
    const { text } = await call(...ask);
    expect(Object.keys(JSON.parse(text)).slice(0, 4)).toEqual(["status", "request_id", "session_id", "next"]);
  });

  test("everything the engine says of a request reaches the caller", async () => {
    const view = aRequest({
      text: "a page",
      offset: 0,
      total_chars: 60_000,
      next_offset: 24_000,
      usage: { output_tokens: 3 },
      warnings: ["late"],
      joined: true,
    });
    const { call } = await connect({ engine: fakeEngine({ ask: async () => view }) });
    expect((await call(...ask)).structured).toEqual(view);
  });
});

describe("isError tells whether there is something to repair", () => {
  const fine = { claimed: true, streaming: true, completed: true };
  const statuses = [...requestStates, "result_pruned"] as const;

  describe.each([
    ["chat", ask, (view: RequestView) => fakeEngine({ ask: async () => view })],
    ["answers wait", wait, (view: RequestView) => fakeEngine({ wait: async () => view })],
    ["answers read", read, (view: RequestView) => fakeEngine({ read: async () => view })],
  ] as const)("%s", (_, [tool, args], saying) => {
    test.each(statuses)("on %s", async (status) => {
      const { call } = await connect({ engine: saying(aRequest({ status })) });
      expect((await call(tool, args)).isError).toBe(!(status in fine));
    });

    test("on a recovery that is under way", async () => {
      const { call } = await connect({
        engine: saying(aRequest({ status: "recovery_required", recovering: true })),
      });
      expect((await call(tool, args)).isError).toBe(false);
    });

    test("on an answer given without its conversation", async () => {
      const { call } = await connect({ engine: saying(aRequest({ warnings: ["context_ignored"] })) });
      expect((await call(tool, args)).isError).toBe(true);
    });
  });

  test.each(statuses)("request_status shows %s without an error", async (status) => {
    const { call } = await connect({ engine: fakeEngine({ inspect: async () => aRequest({ status }) }) });
    expect((await call(...inspect)).isError).toBe(false);
  });
});

describe("replies that are not about one request", () => {
  test("deleting says that upstream keeps what it has", async () => {
    const { call } = await connect();
    const { structured } = await call("sessions", { operation: "delete", session_id: sessionId });
    expect(structured).toMatchObject({ status: "ok", session_id: sessionId, deleted: true });
    expect(structured["next"]).toMatch(/provider/);
  });

  test("a session that is busy says what to wait for", async () => {
    const engine = fakeEngine({ session: async () => aSession({ active_request_id: otherId }) });
    const { call } = await connect({ engine });
    const { structured } = await call("sessions", { operation: "get", session_id: sessionId });
    expect(structured["next"]).toContain(`answers {"action":"wait","request_id":"${otherId}"}`);
  });

  test("lists are called sessions and requests", async () => {
    const { call } = await connect();
    expect((await call("sessions", { operation: "list" })).structured).toMatchObject({
      status: "ok",
      sessions: [{ session_id: sessionId }],
    });
    const history = await call("answers", { action: "history", session_id: sessionId });
    expect(history.structured).toMatchObject({ status: "ok", requests: [] });
  });
});

describe("errors say what to do next", () => {
  test.each(errorCodes)("%s", (code) => {
    const { body } = failed("chat", {}, new ClaimcheckError(code, "Said by the engine."));
    expect(String(body["next"]).length).toBeGreaterThan(20);
  });

  test("the request in the way is named in the call that waits for it", async () => {
    const busy = new ClaimcheckError("session_busy", "Busy.", { details: { request_id: otherId } });
    const engine = fakeEngine({ ask: async () => Promise.reject(busy) });
    const { call } = await connect({ engine });
    const { structured } = await call("chat", {
      message: "Go on.",
      request_id: requestId,
      session_id: sessionId,
    });
    expect(structured["next"]).toContain(`answers {"action":"wait","request_id":"${otherId}"}`);
    expect(structured).toMatchObject({ request_id: requestId, session_id: sessionId });
  });

  test("at the live limit, one of the holders is named", async () => {
    const full = new ClaimcheckError("too_many_live", "Full.", { details: { requests: [otherId] } });
    const { call } = await connect({ engine: fakeEngine({ ask: async () => Promise.reject(full) }) });
    const { structured } = await call("chat", { message: "Go on.", request_id: requestId });
    expect(structured["next"]).toContain(otherId);
  });

  test("an exception nobody expected shows nothing of itself but its incident in the log", async () => {
    const secret = "what the user asked about";
    const broken = Object.assign(new TypeError(secret), { code: "ERR_BROKEN" });
    const { call, logged } = await connect({
      engine: fakeEngine({ ask: async () => Promise.reject(broken) }),
    });
    const reply = await call(...ask);
    expect(reply.structured).toMatchObject({
      status: "error",
      code: "internal",
      details: { incident: "incident-1" },
    });
    expect(logged).toContainEqual({
      level: "error",
      event: "tool.unexpected",
      tool: "chat",
      incident: "incident-1",
      error: "TypeError",
      code: "ERR_BROKEN",
    });
    expect(`${reply.text}${JSON.stringify(logged)}`).not.toContain(secret);
  });
});

test("a call leaves one line of metadata and nothing of what was said", async () => {
  const engine = fakeEngine({ ask: async () => aRequest({ text: "secret answer" }) });
  const { call, logged } = await connect({ engine });
  await call("chat", { message: "secret question" });
  expect(logged).toEqual([
    expect.objectContaining({
      level: "info",
      event: "tool.called",
      tool: "chat",
      host: "test-client",
      model: "gpt-test",
      outcome: "completed",
      bytes_in: expect.any(Number),
      bytes_out: expect.any(Number),
      ms: expect.any(Number),
    }),
  ]);
  expect(JSON.stringify(logged)).not.toContain("secret");
});

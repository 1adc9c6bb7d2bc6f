import { describe, expect, test } from "vitest";
import { replyMs } from "../../src/mcp/tool-call.ts";
import { connect } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { requestId, sessionId } from "./support/views.ts";

const waiter = expect.objectContaining({ budgetMs: 45_000 - replyMs, signal: expect.any(AbortSignal) });

describe("chat hands the question in", () => {
  test("as the caller put it, ids in lower case, without the ticket and the wait", async () => {
    const engine = fakeEngine();
    const { call } = await connect({ engine });
    await call("chat", {
      message: "Go on.",
      session_id: sessionId.toUpperCase(),
      request_id: "ABCDEF00-1111-4111-8111-111111111111",
      instructions: "",
      model: "gpt-test",
      reasoning_effort: "high",
      verbosity: "low",
      max_output_tokens: 100,
      timeout_ms: 5_000,
      background: false,
      wait_ms: 10,
      provider: "openai",
    });
    const settings = {
      model: "gpt-test",
      reasoning_effort: "high",
      verbosity: "low",
      max_output_tokens: 100,
      timeout_ms: 5_000,
      background: false,
    };
    const [ask, waits] = engine.theOnlyCall().args;
    expect(ask).toEqual({
      tool: "chat",
      callerArguments: {
        message: "Go on.",
        session_id: sessionId,
        instructions: "",
        provider: "openai",
        ...settings,
      },
      requestId: "abcdef00-1111-4111-8111-111111111111",
      sessionId,
      message: "Go on.",
      instructions: "",
      provider: "openai",
      settings,
    });
    expect(waits).toMatchObject({ budgetMs: 9 });
  });

  test("with nothing added to what was given", async () => {
    const engine = fakeEngine();
    const { call } = await connect({ engine });
    await call("chat", { message: "Hello." });
    expect(engine.theOnlyCall()).toMatchObject({
      method: "ask",
      args: [{ tool: "chat", callerArguments: { message: "Hello." }, settings: {} }, waiter],
    });
  });
});

describe("every action reaches the engine as what it is", () => {
  const id = requestId;
  test.each<[string, Record<string, unknown>, string, unknown[]]>([
    ["answers", { action: "wait", request_id: id }, "wait", [id, waiter]],
    ["answers", { action: "read", request_id: id }, "read", [id, 0, waiter]],
    ["answers", { action: "read", request_id: id, offset: 24_000 }, "read", [id, 24_000, waiter]],
    ["answers", { action: "inbox" }, "inbox", [{ sessionId: undefined, limit: 20 }]],
    [
      "answers",
      { action: "inbox", session_id: "Plan B", limit: 3 },
      "inbox",
      [{ sessionId: "Plan B", limit: 3 }],
    ],
    [
      "answers",
      { action: "history", session_id: "Plan B", limit: 3, before: "9.x" },
      "history",
      [{ sessionId: "Plan B", limit: 3, before: "9.x" }],
    ],
    ["sessions", { operation: "list" }, "sessions", [{ limit: 20, after: undefined }]],
    [
      "sessions",
      { operation: "list", limit: 5, after: sessionId },
      "sessions",
      [{ limit: 5, after: sessionId }],
    ],
    ["sessions", { operation: "get", session_id: "Plan B" }, "session", ["Plan B"]],
    ["sessions", { operation: "delete", session_id: sessionId }, "deleteSession", [sessionId]],
    [
      "sessions",
      {
        operation: "configure",
        session_id: sessionId,
        name: "Plan B",
        model: "m",
        unset: ["verbosity", "instructions"],
      },
      "configureSession",
      [
        sessionId,
        {
          name: "Plan B",
          instructions: undefined,
          settings: { model: "m" },
          unset: ["verbosity", "instructions"],
        },
      ],
    ],
    [
      "sessions",
      { operation: "configure", session_id: sessionId, instructions: "Be brief." },
      "configureSession",
      [sessionId, { name: undefined, instructions: "Be brief.", settings: {}, unset: [] }],
    ],
    ["request_status", { request_id: id }, "inspect", [id]],
    ["request_status", { request_id: id, action: "inspect" }, "inspect", [id]],
    ["request_status", { request_id: id, action: "recover" }, "recover", [id, waiter]],
    ["request_status", { request_id: id, action: "cancel" }, "cancel", [id, waiter]],
    ["request_status", { request_id: id, action: "abandon" }, "abandon", [id]],
    [
      "request_status",
      { request_id: id, action: "attach", response_id: "resp_1" },
      "attach",
      [id, "resp_1", waiter],
    ],
  ])("%s %o is %s", async (tool, args, method, expected) => {
    const engine = fakeEngine();
    const { call } = await connect({ engine });
    await call(tool, args);
    expect(engine.theOnlyCall()).toEqual({ method, args: expected });
  });
});

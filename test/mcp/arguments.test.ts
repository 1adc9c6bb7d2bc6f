import { describe, expect, test } from "vitest";
import { nearestName } from "../../src/mcp/nearest-name.ts";
import { connect, replyOf } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { requestId, sessionId } from "./support/views.ts";

const message = "What is six by seven?";
const wait = { action: "wait", request_id: requestId };
const configure = { operation: "configure", session_id: sessionId };

/** Tool, wrong arguments, the fields that must be named, and what must be said. */
const wrong: [string, Record<string, unknown>, string[], RegExp][] = [
  [
    "chat",
    { message, modle: "gpt-test" },
    ["modle"],
    /"modle" is not a field of chat\. Did you mean "model"\?/,
  ],
  ["chat", { message, sessionId }, ["sessionId"], /Did you mean "session_id"\?/],
  ["chat", { message, max_tokens: 100 }, ["max_tokens"], /Did you mean "max_output_tokens"\?/],
  ["chat", { message, zzz: 1 }, ["zzz"], /Its fields are message, session_id, /],
  ["chat", {}, ["message"], /"message" is missing/],
  ["chat", { message: "" }, ["message"], /at least 1 characters/],
  ["chat", { message: null }, ["message"], /must be a string, not null/],
  ["chat", { message: ["a"] }, ["message"], /must be a string, not an array/],
  [
    "chat",
    { message, wait_ms: "5000" },
    ["wait_ms"],
    /must be a number, not a string \(numbers .* without quotes\)/,
  ],
  ["chat", { message, wait_ms: 1.5 }, ["wait_ms"], /must be a whole number, not a fraction/],
  ["chat", { message, wait_ms: -1 }, ["wait_ms"], /must be at least 0/],
  ["chat", { message, wait_ms: 1e12 }, ["wait_ms"], /must be at most 3600000/],
  ["chat", { message, background: "yes" }, ["background"], /must be true or false/],
  ["chat", { message, reasoning_effort: "huge" }, ["reasoning_effort"], /must be one of none, minimal, low/],
  ["chat", { message, request_id: "r1" }, ["request_id"], /must be a UUID such as/],
  ["chat", { message, session_id: "\u0007" }, ["session_id"], /must be a session's UUID or its name/],
  ["chat", { wait_ms: "1", modle: "x" }, ["message", "wait_ms", "modle"], /message.*wait_ms.*modle/s],
  ["answers", {}, ["action"], /must be one of wait, read, inbox, history|is missing/],
  ["answers", { action: "collect" }, ["action"], /must be one of wait, read, inbox, history/],
  ["answers", { action: "wait" }, ["request_id"], /"request_id" is missing; answers wait needs it/],
  ["answers", { action: "read" }, ["request_id"], /answers read needs it/],
  ["answers", { action: "history" }, ["session_id"], /answers history needs it/],
  ["answers", { action: "inbox", offset: 3 }, ["offset"], /"offset" does not apply to answers inbox/],
  ["answers", { action: "inbox", request_id: requestId }, ["request_id"], /does not apply to answers inbox/],
  ["answers", { ...wait, limit: 3 }, ["limit"], /does not apply to answers wait/],
  ["answers", { ...wait, offset: 3 }, ["offset"], /does not apply to answers wait/],
  ["answers", { action: "inbox", limit: 101 }, ["limit"], /must be at most 100/],
  ["sessions", { operation: "get" }, ["session_id"], /sessions get needs it/],
  ["sessions", { operation: "delete" }, ["session_id"], /sessions delete needs it/],
  [
    "sessions",
    { operation: "list", session_id: sessionId },
    ["session_id"],
    /does not apply to sessions list/,
  ],
  [
    "sessions",
    { operation: "delete", session_id: sessionId, model: "m" },
    ["model"],
    /does not apply to sessions delete/,
  ],
  ["sessions", configure, [], /needs a default to set/],
  ["sessions", { ...configure, unset: [] }, [], /needs a default to set/],
  [
    "sessions",
    { ...configure, model: "m", unset: ["model"] },
    ["model"],
    /"model" cannot be set and cleared/,
  ],
  ["sessions", { ...configure, unset: ["modle"] }, ["unset[0]"], /must be one of name, instructions, model/],
  ["sessions", { ...configure, name: requestId }, ["name"], /not a UUID/],
  ["sessions", { ...configure, unset: "model" }, ["unset"], /must be an array/],
  ["request_status", {}, ["request_id"], /"request_id" is missing/],
  [
    "request_status",
    { request_id: requestId, action: "attach" },
    ["response_id"],
    /request_status attach needs it/,
  ],
  [
    "request_status",
    { request_id: requestId, response_id: "resp_1" },
    ["response_id"],
    /does not apply to request_status inspect/,
  ],
];

describe("wrong arguments are named, and nothing is sent", () => {
  test.each(wrong)("%s %o", async (tool, args, fields, said) => {
    const engine = fakeEngine();
    const { call } = await connect({ engine });
    const reply = await call(tool, args);
    expect(reply.isError).toBe(true);
    expect(reply.structured).toMatchObject({
      status: "error",
      code: "invalid_arguments",
      message: expect.stringMatching(said),
      details: { fields: expect.arrayContaining(fields) },
    });
    expect(reply.structured["next"]).toMatch(/Nothing was sent/);
    expect(JSON.parse(reply.text)).toEqual(reply.structured);
    expect(engine.asked).toEqual([]);
  });

  test("when there are none at all", async () => {
    const { client } = await connect();
    const reply = replyOf(await client.callTool({ name: "chat" }));
    expect(reply.structured).toMatchObject({ code: "invalid_arguments", message: '"message" is missing.' });
  });

  test("even while storage cannot be opened", async () => {
    const { call } = await connect({ engine: async () => Promise.reject(new Error("no storage")) });
    expect((await call("chat", { modle: "x" })).structured).toMatchObject({ code: "invalid_arguments" });
  });

  test("what was given is not repeated, since it can be what the user asked", async () => {
    const { call, logged } = await connect();
    const { text } = await call("chat", { message: 7, wait_ms: "my secret", reasoning_effort: "my secret" });
    expect(`${text}${JSON.stringify(logged)}`).not.toContain("my secret");
  });

  test("only ids that are ids come back", async () => {
    const { call } = await connect();
    const { structured } = await call("chat", {
      request_id: "my secret",
      session_id: requestId.toUpperCase(),
    });
    expect(structured).not.toHaveProperty("request_id");
    expect(structured).toMatchObject({ session_id: requestId });
  });

  test("field names that objects have by nature are unknown ones too", async () => {
    const { call } = await connect();
    const args = JSON.parse('{"message":"hi","constructor":1,"toString":2}');
    const { structured } = await call("chat", args);
    expect(structured).toMatchObject({ details: { fields: ["constructor", "toString"] } });
  });
});

describe("what is harmless is taken", () => {
  test.each([
    ["answers", { ...wait, session_id: sessionId }],
    ["answers", { action: "inbox", wait_ms: 5 }],
    ["request_status", { request_id: requestId, wait_ms: 5 }],
  ])("%s %o", async (tool, args) => {
    const { call } = await connect();
    expect((await call(tool, args)).isError).toBe(false);
  });
});

test.each([
  ["chats", /Did you mean "chat"\?/],
  ["constructor", /There are chat, answers, /],
])("a tool that is not there, %s, is a protocol error that names those that are", async (name, said) => {
  const { client } = await connect();
  await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(said),
  });
});

describe("the nearest name is what a caller most likely meant", () => {
  const known = ["message", "session_id", "request_id", "model", "max_output_tokens", "timeout_ms"];
  test.each([
    ["modle", "model"],
    ["Model", "model"],
    ["sessionID", "session_id"],
    ["requestid", "request_id"],
    ["timeout", "timeout_ms"],
    ["mesage", "message"],
    ["max_tokens", "max_output_tokens"],
  ])("%s is %s", (name, meant) => expect(nearestName(name, known)).toBe(meant));

  test("a name of megabytes is not worth a guess", { timeout: 2_000 }, () => {
    expect(nearestName("q".repeat(3_000_000), known)).toBeUndefined();
  });

  test.each(["x", "temperature", ""])("%s is nothing known", (name) => {
    expect(nearestName(name, known)).toBeUndefined();
  });
});

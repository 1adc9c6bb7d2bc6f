/** Whatever is wrong with a call: it is refused by a stable code that says what to do, and leaves no trace anywhere. */
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { policyKnobs } from "../../src/contract/policy.ts";
import { badValuesOf, fieldsOf, type ListedTool } from "../support/bad-values.ts";
import { census, select } from "../support/database.ts";
import { startHosted } from "../support/host-process.ts";
import { refusal, said, stepIn } from "../support/said.ts";
import { serverEnvironment, serverFile, toolResult } from "../support/stdio.ts";
import { until, type World, world } from "../support/world.ts";

const uuid = randomUUID();

/** A good call around each field, so that nothing but the field is wrong. */
const goodCalls: Record<string, (field: string, session: unknown) => Record<string, unknown>> = {
  chat: () => ({ message: "Hello." }),
  answers: (field, session) =>
    ["limit", "before", "session_id"].includes(field)
      ? { action: "history", session_id: session }
      : { action: "read", request_id: uuid },
  sessions: (field, session) =>
    ["limit", "after"].includes(field)
      ? { operation: "list" }
      : { operation: "configure", session_id: session, verbosity: "low" },
  request_status: (field) => ({
    request_id: uuid,
    ...(field === "response_id" && { action: "attach" }),
  }),
};

/** A server whose database is there, and a check that a step left no trace upstream or in it. */
async function watched(env: Record<string, string> = {}) {
  const here = await world();
  const server = await here.server({ env });
  await server.call("sessions", { operation: "list" });
  return { here, server, expectNoTrace: traceless(here) };
}

async function watchedWithSession() {
  const { here, server } = await watched();
  const { session_id: session } = said(await server.call("chat", { message: "Hello." }));
  return { here, server, session, expectNoTrace: traceless(here) };
}

function traceless({ dataDir, sim }: World) {
  const [before, attempts] = [census(dataDir), sim.ledger.attempts];
  const sessions = () => select(dataDir, "select * from sessions");
  const sessionsBefore = sessions();
  return () => {
    expect(census(dataDir)).toEqual(before);
    expect(sessions()).toEqual(sessionsBefore);
    expect(sim.ledger.attempts).toBe(attempts);
  };
}

describe("arguments", () => {
  test.each(Object.keys(goodCalls))(
    "of %s that are of a wrong type or out of range are refused, field by field",
    async (name) => {
      const { server, session, expectNoTrace } = await watchedWithSession();
      const { tools } = (await server.request("tools/list")) as { tools: ListedTool[] };
      const tool = tools.find((one) => one.name === name) ?? expect.fail(`${name} is not listed`);
      let refused = 0;

      for (const [field, schema] of fieldsOf(tool)) {
        for (const value of badValuesOf(field, schema)) {
          const call = `${name} ${field}: ${JSON.stringify(value)?.slice(0, 80)}`;
          const result = await server.call(name, { ...goodCalls[name]?.(field, session), [field]: value });
          expect(result.structured, call).toMatchObject({
            status: "error",
            code: expect.stringMatching(/^(invalid_arguments|limit_out_of_range)$/),
            message: expect.stringContaining(field),
            next: expect.stringMatching(/Nothing was sent/),
          });
          expect(result.isError, call).toBe(true);
          said(result);
          refused += 1;
        }
      }

      expect(refused).toBeGreaterThan(20);
      expectNoTrace();
    },
  );

  test.each(Object.keys(goodCalls))("of %s that are missing are named", async (name) => {
    const { server, expectNoTrace } = await watched();
    const { tools } = (await server.request("tools/list")) as { tools: ListedTool[] };
    const required = tools.find((one) => one.name === name)?.inputSchema.required ?? [];
    expect(required).not.toEqual([]);
    for (const args of [undefined, {}]) {
      const { result } = await server.begin("tools/call", { name, arguments: args }).reply;
      const { message } = refusal(toolResult(result ?? {}), "invalid_arguments");
      for (const field of required) expect(message).toContain(field);
    }
    expectNoTrace();
  });

  /** What the protocol's own schema would refuse in prose, or lose, before a tool sees it. */
  const misshapen: [unknown][] = [
    [[]],
    [["Hi."]],
    ["Hi."],
    [7],
    [true],
    [null],
    [JSON.parse('{"message":"Hi.","__proto__":{"model":"x"}}')],
  ];

  test.each(misshapen)(
    "of a shape no tool has, such as %j, get the same structured refusal",
    async (args) => {
      const { server, expectNoTrace } = await watched();
      const { result, error } = await server.begin("tools/call", { name: "chat", arguments: args }).reply;
      expectNoTrace();
      expect(error).toBeUndefined();
      refusal(toolResult(result ?? {}), "invalid_arguments");
    },
  );

  test("that are wrong are never repeated, for they can be what somebody asked", async () => {
    const { server } = await watched();
    const secret = "the launch is on Tuesday";
    for (const args of [
      { message: "Hi.", model: 7, verbosity: secret },
      { message: "Hi.", request_id: secret },
      { message: "Hi.", session_id: `${secret}!` },
      { message: [secret] },
      { message: "Hi.", provider: secret.repeat(3) },
    ]) {
      expect(refusal(await server.call("chat", args), "invalid_arguments")).not.toHaveProperty("request_id");
    }
    expect(`${server.lines.join("")}${server.stderr()}`).not.toContain(secret);
  });

  test("of more bytes than the limit are refused, counted as bytes, instructions included", async () => {
    const { server, expectNoTrace } = await watched();
    const limit = policyKnobs.maxInputBytes.fallback;
    for (const args of [
      { message: "x".repeat(limit + 1) },
      { message: "é".repeat(limit / 2 + 1) },
      { message: "x".repeat(limit / 2), instructions: "y".repeat(limit / 2 + 1) },
    ]) {
      const { message } = refusal(await server.call("chat", args), "input_too_large");
      expect(message).toContain(String(limit));
    }
    expectNoTrace();
  });
});

describe("the protocol", () => {
  test("refuses a tool there is not, naming those there are, and a line too long to read, and goes on", async () => {
    const { server, expectNoTrace } = await watched();
    const misspelt = await server.begin("tools/call", { name: "chatt", arguments: { message: "Hi." } }).reply;
    expect(misspelt.error).toMatchObject({ code: -32602, message: expect.stringMatching(/chat\b/) });
    const endless = await server.begin("tools/call", {
      name: "chat",
      arguments: { message: "x".repeat(17_000_000) },
    }).reply;
    expect(endless.error).toMatchObject({
      code: -32600,
      message: expect.stringMatching(/longer than \d+ bytes/),
    });
    expectNoTrace();
    expect(said(await server.call("chat", { message: "Still here?" }))).toMatchObject({
      status: "completed",
    });
  });
});

describe("ids that are nobody's", () => {
  const id = { request_id: uuid };
  const session = { session_id: uuid };
  const calls: [string, Record<string, unknown>, string][] = [
    ["answers", { action: "wait", ...id }, "unknown_request"],
    ["answers", { action: "read", ...id, offset: 5 }, "unknown_request"],
    ["answers", { action: "inbox", ...session }, "unknown_session"],
    ["answers", { action: "history", session_id: "no such name" }, "unknown_session"],
    ["request_status", id, "unknown_request"],
    ["request_status", { action: "recover", ...id }, "unknown_request"],
    ["request_status", { action: "cancel", ...id }, "unknown_request"],
    ["request_status", { action: "abandon", ...id }, "unknown_request"],
    ["request_status", { action: "attach", ...id, response_id: "resp_1" }, "unknown_request"],
    ["sessions", { operation: "get", ...session }, "unknown_session"],
    ["sessions", { operation: "configure", ...session, name: "Mine" }, "unknown_session"],
    ["sessions", { operation: "delete", ...session }, "unknown_session"],
    ["chat", { message: "Hi.", ...session }, "unknown_session"],
    ["chat", { message: "Hi.", session_id: "no such name", ...id }, "unknown_session"],
  ];

  test.each(calls)("%s %j", async (tool, args, code) => {
    const { server, expectNoTrace } = await watched();
    const told = refusal(await server.call(tool, args), code);
    expect(["inbox", "list"]).toContain(
      stepIn(told["next"]).args["action"] ?? stepIn(told["next"]).args["operation"],
    );
    expectNoTrace();
  });
});

describe("what a server was not given", () => {
  test("a model: the call names the two ways to give one", async () => {
    const { server, expectNoTrace } = await watched({ OPENAI_MODEL: "" });
    const told = refusal(await server.call("chat", { message: "Hi." }), "model_required");
    expect(told["message"]).toMatch(/model/);
    expect(told["message"]).toMatch(/OPENAI_MODEL/);
    expectNoTrace();
    expect(said(await server.call("chat", { message: "Hi.", model: "gpt-test" }))).toMatchObject({
      status: "completed",
    });
  });

  const settings: [string, Record<string, string>, RegExp][] = [
    ["a key", { OPENAI_API_KEY: "" }, /OPENAI_API_KEY is required.*claimcheck config/],
    ["a key on one line", { OPENAI_API_KEY: "test-key\nnot-real" }, /OPENAI_API_KEY must be/],
    ["a provider there is", { CLAIMCHECK_PROVIDER: "nobody" }, /CLAIMCHECK_PROVIDER must be one of .*openai/],
    [
      "an absolute data directory",
      { CLAIMCHECK_DATA_DIR: "data" },
      /CLAIMCHECK_DATA_DIR must be an absolute path/,
    ],
    [
      "an endpoint that keeps the key safe",
      { OPENAI_BASE_URL: "http://example.com/v1" },
      /OPENAI_BASE_URL must be an https URL/,
    ],
    [
      "limits that are numbers",
      { CLAIMCHECK_MAX_LIVE: "many" },
      /CLAIMCHECK_MAX_LIVE must be a whole number from 1 to/,
    ],
    [
      "limits in range",
      { CLAIMCHECK_WAIT_MS: "-1", CLAIMCHECK_LEASE_MS: "1" },
      /(?=.*CLAIMCHECK_WAIT_MS must be)(?=.*CLAIMCHECK_LEASE_MS must be)/s,
    ],
    ["toolsets there are", { CLAIMCHECK_TOOLSETS: "core,everything" }, /CLAIMCHECK_TOOLSETS must be/],
  ];

  test.each(settings)("%s: it refuses to start, in a sentence on standard error", async (_, env, says) => {
    const here = await world();
    const environment = serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir, env });
    const server = startHosted({ command: [process.execPath, serverFile, "serve"], env: environment });
    expect(await server.ended(0)).toMatchObject({ code: 2, signal: null });
    await until("all of it is read", () => says.test(server.stderr()));
    expect(server.stderr()).not.toMatch(/\n\s+at |not-real/);
    expect(server.lines()).toEqual([]);
    // Node 22 keeps its compile cache in HOME, which is the same folder here.
    expect(readdirSync(here.dataDir).filter((name) => name !== ".cache")).toEqual([]);
  });
});

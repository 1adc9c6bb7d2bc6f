/** Whatever goes wrong names what is at fault and a call to make, and that call is one the tool takes. */
import { describe, expect, test } from "vitest";
import { ClaimcheckError, errorCodes } from "../../src/contract/errors.ts";
import { policyKnobs } from "../../src/contract/policy.ts";
import { failed } from "../../src/mcp/failure.ts";
import { type Era, eras } from "../support/eras.ts";
import { type Said, type Step, said, stepsIn } from "../support/said.ts";
import { tour } from "../support/tour/tour.ts";
import { connect } from "./support/connect.ts";
import { otherId, requestId, sessionId } from "./support/views.ts";

const calls = [
  ["chat", { message: "Go on.", session_id: sessionId, request_id: requestId }],
  ["chat", { message: "Hello." }],
  ["answers", { action: "wait", request_id: requestId }],
  ["answers", { action: "read", request_id: requestId }],
  ["answers", { action: "inbox" }],
  ["answers", { action: "history", session_id: sessionId }],
  ["sessions", { operation: "list" }],
  ["sessions", { operation: "get", session_id: sessionId }],
  ["sessions", { operation: "configure", session_id: sessionId, name: "Plan B" }],
  ["sessions", { operation: "delete", session_id: "Plan B" }],
  ["request_status", { request_id: requestId }],
  ["request_status", { request_id: requestId, action: "recover" }],
  ["request_status", { request_id: requestId, action: "abandon" }],
  ["request_status", { request_id: requestId, action: "cancel" }],
  ["request_status", { request_id: requestId, action: "attach", response_id: "resp_1" }],
] as const;

/** What the caller puts where a step says "…". */
const filling: Readonly<Record<string, string>> = {
  request_id: otherId,
  session_id: sessionId,
  response_id: "resp_2",
  message: "More.",
  model: "gpt-test",
};

function filled({ tool, args }: Step): Step {
  const whole = Object.entries(args).map(([field, value]) => {
    if (typeof value !== "string" || !value.includes("…")) return [field, value];
    return [field, filling[field] ?? expect.fail(`nobody could know what to put for ${field} of ${tool}`)];
  });
  return { tool, args: Object.fromEntries(whole) };
}

/** The calls in a text; fails where something looks like one and is none. */
function callsIn(text: string): Step[] {
  const steps = stepsIn(text);
  expect(steps.length, text).toBe(text.split("{").length - 1);
  return steps.map(filled);
}

/** Makes every call that is named, and has it taken. */
async function expectTaken(texts: Iterable<string>): Promise<number> {
  const { call } = await connect();
  const steps = new Map([...texts].flatMap(callsIn).map((step) => [JSON.stringify(step), step]));
  for (const { tool, args } of steps.values()) {
    const reply = await call(tool, args);
    expect(reply.structured["code"], `${tool} ${JSON.stringify(args)}: ${reply.text}`).toBeUndefined();
  }
  return steps.size;
}

/** Of the request or session that is in the way, where there is one. */
const details = { request_id: otherId, session_id: sessionId, requests: [otherId] };

test.each(errorCodes)("every tool that ends in %s names calls that are taken", async (code) => {
  const texts = calls.flatMap(([tool, args]) =>
    [details, {}].map((known) =>
      String(
        failed(tool, args, new ClaimcheckError(code, "It went wrong.", { details: known })).body["next"],
      ),
    ),
  );
  for (const text of texts) expect(text.length, text).toBeGreaterThan(40);
  await expectTaken(texts);
});

test.each([
  ["cancel", { action: "cancel" }, { request_id: requestId, action: "cancel" }],
  ["attach", { action: "attach", response_id: "resp_1" }, { request_id: requestId, action: "attach" }],
  ["recover", { action: "recover" }, { request_id: requestId, action: "recover" }],
])("what could not be asked of upstream by %s is asked the same way again", (_, args, again) => {
  const error = new ClaimcheckError("upstream_unreachable", "Not now.");
  const { body } = failed("request_status", { request_id: requestId, ...args }, error);
  expect(stepsIn(body["next"])).toEqual([{ tool: "request_status", args: expect.objectContaining(again) }]);
});

/** `next` of a result, and of every line in it. */
function textsIn(outcome: unknown): string[] {
  if (Array.isArray(outcome)) return outcome.flatMap(textsIn);
  if (typeof outcome !== "object" || outcome === null) return [];
  return Object.entries(outcome).flatMap(([field, value]) =>
    field === "next" ? [String(value)] : textsIn(value),
  );
}

const variables = new Set<unknown>(Object.values(policyKnobs).map(({ env }) => env));

function expectNamed({ message, details = {} }: Said): void {
  const { fields, max, variable, state, request_id } = details as Record<string, unknown>;
  for (const named of [fields, max, variable, state, request_id].flat()) {
    if (named !== undefined) expect(message, "what is at fault").toContain(String(named));
  }
  if (max !== undefined)
    expect([...variables].some((name) => String(message).includes(String(name)))).toBe(true);
}

describe.each(eras)("on a tour through everything in the era of %s", (era: Era) => {
  test("every result names calls that are taken, and every error what is at fault", async () => {
    const { stops } = await tour(era);
    const results = stops.map(({ result }) => said(result));
    for (const result of results.filter(({ status }) => status === "error")) expectNamed(result);
    const texts = results.flatMap((result) => [...textsIn(result), String(result["message"] ?? "")]);
    expect(await expectTaken(texts)).toBeGreaterThan(20);
  });
});

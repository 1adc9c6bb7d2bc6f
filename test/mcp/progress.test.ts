import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import type { Progress } from "../../src/engine/engine.ts";
import { clientKinds, connect } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { aRequest } from "./support/views.ts";

const steps: Progress[] = [
  { state: "claimed", chars: 0, elapsedMs: 0 },
  { state: "streaming", chars: 1_240, elapsedMs: 12_345 },
  { state: "streaming", chars: 1_240, elapsedMs: 12_345 },
  { state: "recovery_required", chars: null, elapsedMs: 3_600_000 },
];

/** Reports all steps, answers, and goes on reporting, as a careless engine would. */
function chatty(reports = steps) {
  let late: (() => void) | undefined;
  const engine = fakeEngine({
    ask: async (_, { onProgress }) => {
      for (const step of reports) onProgress?.(step);
      late = () => onProgress?.({ state: "completed", chars: 9, elapsedMs: 9 });
      return aRequest({ text: "forty-two" });
    },
  });
  return { engine, reportLate: () => late?.() };
}

const isProgress = (message: JSONRPCMessage) =>
  "method" in message && message.method === "notifications/progress";

describe.each(clientKinds)("a %s client that asks for progress", (kind) => {
  test("hears of it from the first moment, in words a person reads, before the answer", async () => {
    const heard: unknown[] = [];
    const { engine } = chatty();
    const { call, sent } = await connect({ kind, engine });
    await call("chat", { message: "Hello." }, { onprogress: (progress: unknown) => heard.push(progress) });
    expect(heard).toEqual([
      { progress: 1, message: "claimed · 0 chars · 0 s" },
      { progress: 2, message: "streaming · 1,240 chars · 12 s" },
      { progress: 3, message: "streaming · 1,240 chars · 12 s" },
      { progress: 4, message: "recovery_required · 3600 s" },
    ]);
    expect(sent.findLastIndex(isProgress)).toBeLessThan(sent.length - 1);
  });

  test("hears nothing after the answer", async () => {
    const { engine, reportLate } = chatty();
    const { call, sent } = await connect({ kind, engine });
    await call("chat", { message: "Hello." }, { onprogress: () => {} });
    const before = sent.length;
    reportLate();
    // A round trip later, anything said meanwhile would have been sent.
    await call("answers", { action: "inbox" });
    expect(sent.slice(before).filter(isProgress)).toEqual([]);
  });

  test("may use any token, zero included", async () => {
    const { engine } = chatty();
    const { client, sent } = await connect({ kind, engine });
    const params = { name: "chat", arguments: { message: "Hello." }, _meta: { progressToken: 0 } };
    await client.callTool(params);
    expect(sent.filter(isProgress)).toHaveLength(steps.length);
  });
});

test.each(clientKinds)(
  "a %s client that does not ask hears none, and the engine is not made to report",
  async (kind) => {
    const { engine } = chatty();
    const { call, sent } = await connect({ kind, engine });
    await call("chat", { message: "Hello." });
    expect(sent.filter(isProgress)).toEqual([]);
    expect(engine.theOnlyCall().args[1]).not.toHaveProperty("onProgress");
  },
);

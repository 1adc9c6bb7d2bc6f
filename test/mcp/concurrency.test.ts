import { describe, expect, test, vi } from "vitest";
import type { Waiter } from "../../src/engine/engine.ts";
import { clientKinds, connect } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { allTools } from "./support/tools.ts";
import { aRequest, otherId } from "./support/views.ts";

/** Its first ask takes until it is let go, or until its caller loses interest; later ones are answered at once. */
function slowEngine() {
  let release = () => {};
  const waiters: Waiter[] = [];
  const engine = fakeEngine({
    ask: async (_, waiter) => {
      waiters.push(waiter);
      if (waiters.length > 1) return aRequest({ request_id: otherId, text: "second" });
      await new Promise<void>((resolve) => {
        release = resolve;
        waiter.signal?.addEventListener("abort", () => resolve());
      });
      return aRequest({ text: "first" });
    },
  });
  return { engine, waiters, release: () => release() };
}

describe.each(clientKinds)("while one call of a %s client takes long", (kind) => {
  test("tools are listed and a second question is answered at once", async () => {
    const { engine, waiters, release } = slowEngine();
    const { client, call } = await connect({ kind, engine });
    const first = call("chat", { message: "Think hard." });
    await vi.waitUntil(() => waiters.length === 1);
    expect((await client.listTools()).tools).toHaveLength(allTools.length);
    expect((await call("chat", { message: "Quick one." })).structured).toMatchObject({ text: "second" });
    release();
    expect((await first).structured).toMatchObject({ text: "first" });
  });

  test("cancelling it detaches its waiter, answers nothing, and the next call is served", async () => {
    const { engine, waiters } = slowEngine();
    const { call, sent, logged } = await connect({ kind, engine });
    const cancel = new AbortController();
    const first = call("chat", { message: "Think hard." }, { signal: cancel.signal });
    await vi.waitUntil(() => waiters.length === 1);
    const before = sent.length;
    cancel.abort("user pressed escape");
    await expect(first).rejects.toThrow();
    await vi.waitUntil(() => waiters[0]?.signal?.aborted === true);
    expect((await call("chat", { message: "Next." })).structured).toMatchObject({ text: "second" });
    expect(sent.slice(before)).toHaveLength(1);
    expect(logged.map(({ outcome }) => outcome)).toEqual(["detached", "completed"]);
  });
});

test("a question given up while storage was still being opened is never sent", async () => {
  const engine = fakeEngine();
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let wanted = 0;
  const { call, logged } = await connect({
    engine: async () => {
      wanted += 1;
      await opened;
      return engine;
    },
  });
  const cancel = new AbortController();
  const given = call("chat", { message: "Never mind." }, { signal: cancel.signal });
  await vi.waitUntil(() => wanted === 1);
  cancel.abort();
  await expect(given).rejects.toThrow();
  open();
  await vi.waitUntil(() => logged.length > 0);
  expect(engine.asked).toEqual([]);
  expect(logged).toEqual([expect.objectContaining({ event: "tool.called", outcome: "detached" })]);
});

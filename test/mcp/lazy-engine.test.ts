import { expect, test, vi } from "vitest";
import { ClaimcheckError } from "../../src/contract/errors.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { lazyEngine } from "../../src/mcp/lazy-engine.ts";
import type { LogFacts } from "../../src/mcp/log.ts";
import { connect } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { allTools } from "./support/tools.ts";

const silent = () => {};
const now = Promise.resolve();

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

test("nothing is connected before somebody needs it", () => {
  const connecting = vi.fn(async () => fakeEngine());
  lazyEngine({ connect: connecting, replied: now, log: silent });
  expect(connecting).not.toHaveBeenCalled();
});

test("all callers share one connection, the one being made included", async () => {
  const connecting = vi.fn(async () => fakeEngine());
  const engine = lazyEngine({ connect: connecting, replied: now, log: silent });
  engine.warm();
  const [first, second] = await Promise.all([engine.get(), engine.get()]);
  expect(first).toBe(second);
  expect(await engine.get()).toBe(first);
  expect(connecting).toHaveBeenCalledTimes(1);
});

test("a failure is told to its caller in full, and the next one tries again", async () => {
  const logged: unknown[] = [];
  const broken = new ClaimcheckError("storage_unavailable", "The data directory cannot be written.");
  const connecting = vi
    .fn<() => Promise<Engine>>()
    .mockRejectedValueOnce(broken)
    .mockResolvedValue(fakeEngine());
  const engine = lazyEngine({
    connect: connecting,
    replied: now,
    log: (level: string, event: string, facts?: LogFacts) => logged.push({ level, event, ...facts }),
  });
  const { call } = await connect({ engine: engine.get });

  const refused = await call("answers", { action: "inbox" });
  const served = await call("answers", { action: "inbox" });

  expect(refused.structured).toMatchObject({ status: "error", code: "storage_unavailable" });
  expect(served.structured).toMatchObject({ status: "ok" });
  expect(logged).toEqual([
    { level: "error", event: "engine.unavailable", error: "ClaimcheckError", code: "storage_unavailable" },
  ]);
});

test("the list of tools does not wait for the engine", async () => {
  const never = new Promise<Engine>(() => {});
  const { client } = await connect({ engine: () => never });
  expect((await client.listTools()).tools).toHaveLength(allTools.length);
});

test("background work begins only once the first reply is out", async () => {
  const start = vi.fn();
  const replied = deferred<void>();
  const engine = lazyEngine({
    connect: async () => fakeEngine({ start }),
    replied: replied.promise,
    log: silent,
  });
  await engine.get();
  expect(start).not.toHaveBeenCalled();
  replied.resolve();
  await vi.waitUntil(() => start.mock.calls.length === 1);
});

test("closing ends the engine, one still being connected included, and refuses what comes later", async () => {
  const close = vi.fn(async () => {});
  const connection = deferred<Engine>();
  const engine = lazyEngine({ connect: () => connection.promise, replied: now, log: silent });
  engine.warm();
  const closed = engine.close(1_500);
  connection.resolve(fakeEngine({ close }));
  await closed;
  expect(close).toHaveBeenCalledExactlyOnceWith(1_500);
  await expect(engine.get()).rejects.toMatchObject({ code: "shutting_down" });
});

test("closing what was never connected connects nothing", async () => {
  const connecting = vi.fn(async () => fakeEngine());
  await lazyEngine({ connect: connecting, replied: now, log: silent }).close(1_500);
  expect(connecting).not.toHaveBeenCalled();
});

import { once } from "node:events";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildFixtures, type Fixtures } from "./support/fixtures.ts";
import {
  initialize,
  linesOf,
  type ServerProcess,
  startBehindShell,
  startProcess,
} from "./support/process.ts";
import { requestId } from "./support/views.ts";

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await buildFixtures();
});
afterAll(() => fixtures.remove());

const start = (env?: Record<string, string>) => startProcess(fixtures.serve, env);

const ask = (id: number, message: string) => ({
  id,
  method: "tools/call",
  params: { name: "chat", arguments: { message } },
});

/** A server with one question under way. */
async function busy(env?: Record<string, string>): Promise<ServerProcess> {
  const server = start(env);
  await server.initialize();
  server.send(ask(1, "slow"));
  await server.until(() => server.stderr().includes("asked slow"));
  return server;
}

describe("the process ends within 2 s when its host lets go, work committed", () => {
  const ways: [string, (server: ServerProcess) => void][] = [
    ["closes its input", ({ child }) => child.stdin.end()],
    ["sends SIGTERM", ({ child }) => void child.kill("SIGTERM")],
    ["sends SIGINT", ({ child }) => void child.kill("SIGINT")],
    ["sends SIGHUP", ({ child }) => void child.kill("SIGHUP")],
    [
      "no longer reads its output",
      (server) => {
        server.child.stdout.destroy();
        server.send({ id: 2, method: "ping" });
      },
    ],
  ];

  test.each(ways)("when it %s in the middle of a call", async (_, letGo) => {
    const server = await busy();
    const since = performance.now();
    letGo(server);
    const { code, signal, ms } = await server.ended(since);
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(ms).toBeLessThan(2_000);
    expect(server.stderr()).toMatch(/closed\n/);
  });

  test.each(ways.slice(0, 2))("when it %s and the engine does not come to an end", async (_, letGo) => {
    const server = await busy({ CLOSING: "never" });
    const since = performance.now();
    letGo(server);
    const { code, ms } = await server.ended(since);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(2_000);
  });

  test("when it does several of them at once, the engine is closed once", async () => {
    const server = await busy({ CLOSING: "never" });
    const since = performance.now();
    for (const [, letGo] of ways) letGo(server);
    const { ms } = await server.ended(since);
    expect(ms).toBeLessThan(2_000);
    expect(server.stderr().match(/closing/g)).toHaveLength(1);
  });

  test("when it never says a word", async () => {
    const server = start();
    const since = performance.now();
    server.child.stdin.end();
    const { code, ms } = await server.ended(since);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(2_000);
    expect(server.stdout()).toBe("");
  });

  test("when it is killed and somebody else still holds the pipes", async () => {
    const host = startBehindShell(fixtures.serve, initialize);
    await host.reply(0);
    const since = performance.now();
    host.child.kill("SIGKILL");
    await once(host.child.stdout, "close");
    expect(performance.now() - since).toBeLessThan(2_000);
    expect(host.stderr()).toContain('"reason":"parent died"');
  });
});

test("left alone it stays, doing nothing", async () => {
  const server = start();
  await server.initialize();
  await server.until(() => cpuMs(server).length === 1);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(server.child.exitCode).toBeNull();
  server.send({ id: 9, method: "ping" });
  await server.reply(9);
  server.child.stdin.end();
  await server.ended(0);
  const [before = 0, after = Number.NaN] = cpuMs(server);
  expect(after - before).toBeLessThan(150);
});

test("replies to what was asked before the input closed still come", async () => {
  const server = start({ SLOW_START: "1" });
  server.send(initialize);
  server.send(ask(1, "hello"));
  server.child.stdin.end();
  await server.ended(0);
  expect(linesOf(server.stdout()).map((line) => JSON.parse(line)["id"])).toEqual([0, 1]);
});

describe("standard output is for the protocol alone", () => {
  test("whatever dependencies print", async () => {
    const server = start({ NOISY: "1", DEBUG: "*", NODE_DEBUG: "net" });
    await server.initialize();
    server.send(ask(1, "hello"));
    await server.reply(1);
    server.child.stdin.end();
    await server.ended(0);
    for (const line of linesOf(server.stdout())) parseJSONRPCMessage(JSON.parse(line));
    expect(server.stdout()).not.toContain("noise");
    for (const source of ["log", "info", "debug", "table", "dir"]) {
      expect(server.stderr()).toContain(`from console.${source}`);
    }
    expect(server.stderr()).toMatch(/noise from process\.stdout\n/);
    expect(server.stderr()).toMatch(/noise in bytes\n/);
  });

  test("whatever comes in", async () => {
    const server = start();
    server.send("not JSON at all");
    await server.initialize();
    server.send(`{"id":5,"method":${JSON.stringify("x".repeat(100))},"jsonrpc":"1.0"}`);
    server.send(`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"t":"${"x".repeat(20_000_000)}"}}`);
    await server.reply(6);
    server.send(ask(7, "still here"));
    expect(await server.reply(7)).toMatchObject({ result: { isError: false } });
    expect(await server.reply(5)).toMatchObject({ error: { code: -32600 } });
    expect(await server.reply(6)).toMatchObject({ error: { code: -32600 } });
  });

  test("a host that closes our standard error does not end us", async () => {
    const server = start();
    await server.initialize();
    server.child.stderr.destroy();
    server.send(ask(1, "hello"));
    await server.reply(1);
    server.send({ id: 2, method: "ping" });
    await server.reply(2);
  });
});

describe("the engine comes after the first reply", () => {
  test("which is out before anything is connected", async () => {
    const server = start({ UNAVAILABLE: "1" });
    expect(server.stderr()).not.toContain("connecting");
    await server.initialize();
    await server.until(() => server.stderr().includes("connecting"));
  });

  test("and where it cannot be had, every call says so and the next one tries again", async () => {
    const server = start({ UNAVAILABLE: "1" });
    await server.initialize();
    await server.until(() => server.stderr().includes("engine.unavailable"));
    for (const id of [1, 2]) {
      server.send({
        id,
        method: "tools/call",
        params: { name: "request_status", arguments: { request_id: requestId } },
      });
      expect(await server.reply(id)).toMatchObject({
        result: { isError: true, structuredContent: { status: "error", code: "storage_unavailable" } },
      });
    }
    expect(server.stderr().match(/^connecting$/gm)).toHaveLength(3);
    server.send({ id: 3, method: "tools/list" });
    expect(await server.reply(3)).toMatchObject({ result: { tools: expect.any(Array) } });
  });
});

test("a fault nobody caught ends the process in order, says its class and code, and nothing else of itself", async () => {
  const server = start({ CRASHING: "1" });
  await server.initialize();
  const since = performance.now();
  server.send(ask(1, "slow"));
  const { code, ms } = await server.ended(since);
  expect(code).toBe(1);
  expect(ms).toBeLessThan(2_000);
  expect(server.stderr()).toMatch(/"event":"server\.fault","error":"Error","code":"E_CRASH"/);
  expect(server.stderr()).toMatch(/closed\n/);
  expect(server.stderr()).not.toContain("a secret");
});

/** What the server said of its own processor time, when it connected and when it ended. */
function cpuMs(server: ServerProcess): number[] {
  return [...server.stderr().matchAll(/^cpu (\d+) ms$/gm)].map(([, ms]) => Number(ms));
}

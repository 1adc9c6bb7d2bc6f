/** As hosts are mostly told to start servers: through `npx`, on a machine that never saw this one. */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Hosted, isRunning, outcomeOf, startHosted, toolCall } from "../support/host-process.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import { said } from "../support/said.ts";
import { serverEnvironment, serverFile } from "../support/stdio.ts";
import { temporaryDirectory, until, type World, world } from "../support/world.ts";
import { emptyMachine, installMs } from "./package.ts";

// A path alone would be taken for the command itself.
const npx = ["npx", "-y", "--prefer-offline", `file:${inject("tarball")}`] as const;
const machine = emptyMachine(inject("home"));

test("the server that the other tests of this suite run is the installed one", () => {
  expect(serverFile).toContain("node_modules");
});

beforeAll(() => {
  const [file, ...args] = npx;
  const told = execFileSync(file, [...args, "--version"], { env: machine, timeout: installMs });
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(told.toString()).toBe(`${version}\n`);
}, installMs);

/** Through npx, which starts a shell, which starts the server: `host` is npx itself. */
async function started(here: World) {
  const folder = temporaryDirectory();
  const server = serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir });
  const host = startHosted({
    command: npx,
    env: { ...machine, ...server, HOME: inject("home") },
    cwd: folder,
  });
  await host.handshake();
  return { host, folder, everybody: withDescendants(host.child.pid ?? 0) };
}

test("is listed, asked and answered, and leaves nothing in the folder where it was started", async () => {
  const here = await world();
  const { host, folder } = await started(here);
  host.send({ id: 1, method: "tools/list" });
  expect(await host.reply(1)).toMatchObject({ result: { tools: expect.any(Array) } });
  host.send(toolCall(2, "chat", { message: "Hello." }));
  expect(outcomeOf(await host.reply(2))).toMatchObject({ status: "completed", text: "You said: Hello." });
  expect(here.sim.ledger.posts).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

describe("nobody of npx, its shell and the server is left within 2 s", () => {
  // Of SIGINT npm believes that the whole group has it, as from a terminal, and lives on.
  const waysOut: [string, (host: Hosted) => void][] = [
    ["its input closes", ({ child }) => child.stdin?.end()],
    ["npx has SIGTERM", ({ child }) => void child.kill("SIGTERM")],
    ["npx is killed", ({ child }) => void child.kill("SIGKILL")],
  ];

  test.each(waysOut)("when %s in the middle of a call, which the next process collects", async (_, leave) => {
    const here = await world();
    const { host, everybody } = await started(here);
    expect(everybody.length).toBeGreaterThanOrEqual(2);
    const id = randomUUID();
    here.sim.script({ scenario: "hold_mid_text" });
    host.send(toolCall(1, "chat", { message: "Stay.", request_id: id }));
    await untilRow(here.dataDir, id, "is streaming", ({ state }) => state === "streaming");

    const since = performance.now();
    leave(host);
    await until("they are gone", () => !everybody.some(isRunning));

    expect(performance.now() - since).toBeLessThan(2_000);
    expect(requestRow(here.dataDir, id)).toMatchObject({ state: "recovery_required", owner: null });
    here.sim.release();
    const next = await here.server();
    const collected = said(await next.call("answers", { action: "wait", request_id: id }));
    expect(collected).toMatchObject({ status: "completed", text: "You said: Stay." });
    expect(here.sim.ledger.posts).toBe(1);
  });
});

/** A process, its children, and theirs. */
function withDescendants(pid: number): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    pairs.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []));
  return [pid, ...below(pid)];
}

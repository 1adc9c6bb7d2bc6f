/** However a host lets go, and at whatever moment: the server goes too, and what was asked is not lost or repeated. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { catalogue, type Scenario } from "../../src/simulator/simulator.ts";
import { everyKind } from "../support/every-kind.ts";
import { type Hosted, hostedServer, outcomeOf, startHosted, toolCall } from "../support/host-process.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import { said } from "../support/said.ts";
import { type StdioServer, serverEnvironment, serverFile } from "../support/stdio.ts";
import { temporaryDirectory, until, type World, world } from "../support/world.ts";

const waysOut: [string, (server: Hosted) => void][] = [
  ["its input closes", ({ child }) => child.stdin?.end()],
  ["SIGTERM comes", ({ child }) => void child.kill("SIGTERM")],
  ["SIGINT comes", ({ child }) => void child.kill("SIGINT")],
  ["SIGHUP comes", ({ child }) => void child.kill("SIGHUP")],
  [
    "its output is no longer read",
    (server) => {
      server.child.stdout?.destroy();
      server.send({ id: 99, method: "ping" });
    },
  ],
];

const slowRecovery: Scenario = {
  ...catalogue.reset_mid_text,
  hold: ["before_terminal"],
  resume: Array(9).fill(503),
};

interface Moment {
  name: string;
  /** Leads a fresh server there; `id` is a request it may make. */
  come(server: Hosted, here: World, id: string): Promise<void>;
  /** Ended by a signal before it could hear one. */
  early?: true;
}

const moments: Moment[] = [
  { name: "that has not heard a word yet", early: true, come: async () => undefined },
  { name: "that shook hands and is idle", come: (server) => server.handshake() },
  {
    name: "that heard half a line, and half a character",
    async come(server) {
      await server.handshake();
      server.child.stdin?.write(Buffer.from('{"jsonrpc":"2.0","id":5,"method":"🎟').subarray(0, -2));
    },
  },
  {
    name: "that was just asked and is still opening its storage",
    async come(server, _, id) {
      await server.handshake();
      server.send(toolCall(1, "chat", { message: "Quick.", request_id: id }));
    },
  },
  {
    name: "that is collecting what was cut off",
    async come(server, here, id) {
      await server.handshake();
      server.send(toolCall(1, "chat", { message: "Slow.", request_id: id }));
      await untilRow(here.dataDir, id, "is collected", ({ state }) => state === "recovery_required");
    },
  },
];

/** How long the binary takes to do nothing on this machine now. */
async function startMs(): Promise<number> {
  const since = performance.now();
  const command = [process.execPath, serverFile, "--version"] as const;
  await startHosted({ command, env: {}, stdin: "ignore" }).ended(since);
  return performance.now() - since;
}

describe("C37: within 2 s", () => {
  test.each(moments)("a server $name is gone, whichever way its host lets go", async ({ come, early }) => {
    const here = await world();
    here.sim.script({ match: { message: "Slow." }, scenario: slowRecovery });
    const allowed = 2_000 + (early ? await startMs() : 0);
    const ids = waysOut.map(() => randomUUID());
    const kinds = waysOut.map(([name, leave], index): [...(typeof waysOut)[number], string] => [
      name,
      leave,
      ids[index] ?? "",
    ]);

    await everyKind(kinds, async (_, leave, id) => {
      const server = hostedServer(here);
      await come(server, here, id);
      const since = performance.now();
      leave(server);
      const { code, signal, ms } = await server.ended(since);
      expect(ms).toBeLessThan(allowed);
      if (!early) expect({ code, signal }).toEqual({ code: 0, signal: null });
      for (const line of server.lines()) JSON.parse(line);
    });

    here.sim.release();
    const next = await here.server();
    for (const id of ids) await expectPaidOnce(here, next, id);
  });

  /** Whatever became of it: it is settled or can be, and was sent at most once, by whomever. */
  async function expectPaidOnce(here: World, next: StdioServer, id: string): Promise<void> {
    const row = requestRow(here.dataDir, id);
    if (row === null) return;
    const { status } = said(await next.call("answers", { action: "wait", request_id: id }));
    expect(status).toMatch(/^(completed|unknown_outcome|failed)$/);
    if (row.responseId !== null) expect(status).toBe("completed");
    expect(here.sim.ledger.postsFor(id)).toBeLessThanOrEqual(1);
  }

  test.each(["SIGTERM", "EOF"])(
    "a server is gone whose host stopped reading in the middle of its replies: %s",
    async (way) => {
      const here = await world();
      const child = spawn(process.execPath, [serverFile, "serve"], {
        env: serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir }),
        stdio: ["pipe", "pipe", "ignore"],
      });
      const exited = once(child, "exit");
      onTestFinished(async () => {
        child.kill("SIGKILL");
        await exited;
      });
      // Far more than a pipe holds; a host that looks but never takes fills it up.
      for (let id = 1; id <= 100; id += 1) {
        child.stdin.write(
          `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: modern })}\n`,
        );
      }
      child.stdout.on("readable", () => undefined);
      await until("replies stand in line", () => child.stdout.readableLength > 16_000);

      const since = performance.now();
      if (way === "EOF") child.stdin.end();
      else child.kill("SIGTERM");
      const [code] = await exited;

      expect(performance.now() - since).toBeLessThan(2_000);
      expect(code).toBe(0);
    },
  );

  const modern = {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test-client", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
});

describe("C36: whatever happens to its channels", () => {
  test("a server whose standard error was closed goes on answering, at the fullest log", async () => {
    const here = await world();
    const server = hostedServer(here, { CLAIMCHECK_LOG_LEVEL: "debug" });
    await server.handshake();
    server.child.stderr?.destroy();

    for (const id of [1, 2, 3]) {
      server.send(toolCall(id, "chat", { message: `Hello ${id}.` }));
      expect(outcomeOf(await server.reply(id))).toMatchObject({ status: "completed" });
    }

    const since = performance.now();
    server.child.stdin?.end();
    expect(await server.ended(since)).toMatchObject({ code: 0, ms: expect.any(Number) });
  });

  test("what others in the process print lands on standard error, however they print it", async () => {
    const here = await world();
    const preload = join(temporaryDirectory(), "noise.mjs");
    // The server listens to signals from when it begins to serve.
    writeFileSync(
      preload,
      `const noise = () => {
         if (process.listenerCount("SIGHUP") === 0) return;
         for (const say of ["log", "info", "debug", "warn", "error", "trace"]) console[say]("noise by console." + say);
         process.stdout.write("noise by process.stdout\\n");
         process.emitWarning("noise by a warning", "DeprecationWarning");
       };
       setInterval(noise, 5).unref();`,
    );
    const server = hostedServer(here, { NODE_OPTIONS: `--import=file://${preload}` });
    await server.handshake();
    server.send(toolCall(1, "chat", { message: "Hello." }));
    expect(outcomeOf(await server.reply(1))).toMatchObject({ status: "completed" });
    server.child.stdin?.end();
    await server.ended(0);

    for (const line of server.lines()) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    for (const say of ["log", "info", "debug", "warn", "error", "trace"]) {
      expect(server.stderr()).toContain(`noise by console.${say}`);
    }
    expect(server.stderr()).toMatch(/noise by process\.stdout\n/);
    expect(server.stderr()).toContain("noise by a warning");
  });
});

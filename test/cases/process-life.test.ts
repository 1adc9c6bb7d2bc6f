/** A server is its host's guest: it leaves when the host does, owing nobody anything. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ScenarioName } from "../../src/simulator/simulator.ts";
import { eras, openIn } from "../support/eras.ts";
import { type Hosted, hostedServer, isRunning, startHosted, toolCall } from "../support/host-process.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import { said } from "../support/said.ts";
import { serverEnvironment, serverFile } from "../support/stdio.ts";
import { until, type World, world } from "../support/world.ts";

const serve = [process.execPath, serverFile, "serve"] as const;

describe("C37: the server is gone within 2 s", () => {
  /** How long the binary takes to do nothing on this machine now. */
  async function startMs(): Promise<number> {
    const since = performance.now();
    const version = startHosted({
      command: [process.execPath, serverFile, "--version"],
      env: {},
      stdin: "ignore",
    });
    return (await version.ended(since)).ms;
  }

  test("when its input is /dev/null", async () => {
    const here = await world();
    const allowed = 2_000 + (await startMs());
    const env = serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir });

    const since = performance.now();
    const server = startHosted({ command: serve, env, stdin: "ignore" });

    const { code, ms } = await server.ended(since);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(allowed);
    expect(server.lines()).toEqual([]);
  });

  test.each(eras)("when its host shook hands in the way of %s and leaves at once", async (era) => {
    const here = await world();
    const { server } = await openIn(era, here);
    expect(await server.close()).toEqual({ code: 0, ms: expect.toSatisfy((ms: number) => ms < 2_000) });
  });

  const saying = (who: string, pid: string) => `process.stderr.write("${who} " + ${pid} + "\\n");`;
  const killed = saying("killed", "process.pid");
  const started = (stdio: string) =>
    `const child = require("node:child_process").spawn(process.execPath, [process.argv[1], "serve"], { stdio: ${stdio} });
     ${saying("server", "child.pid")}`;
  const deaf = `for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});`;

  /** Who is killed outright; it and whoever starts the server say their process ids on standard error. */
  const deaths: [string, readonly [string, ...string[]]][] = [
    [
      "its host, and its pipes with it",
      [
        process.execPath,
        "-e",
        `${killed} ${started('["pipe", "inherit", "inherit"]')} process.stdin.pipe(child.stdin);`,
        serverFile,
      ],
    ],
    [
      // As npx does it: a shell that does not become the server, and a process that passes no signal on.
      "its host, behind a shell and a wrapper that pass nothing on",
      [
        process.execPath,
        "-e",
        `${killed} const shell = ["-c", '"$0" -e "$WRAPPER" "$1"; true', process.execPath, process.argv[1]];
         const env = { ...process.env, WRAPPER: ${JSON.stringify(`${deaf} ${started('"inherit"')}`)} };
         const child = require("node:child_process").spawn("sh", shell, { env, stdio: ["pipe", "inherit", "inherit"] });
         process.stdin.pipe(child.stdin);`,
        serverFile,
      ],
    ],
    [
      // The server's input is another's pipe, which `cat` holds open whoever dies.
      "a wrapper between, while its input stays open",
      [
        "sh",
        "-c",
        'cat | "$0" "$@"',
        process.execPath,
        "-e",
        `${killed} ${started('"inherit"')}`,
        serverFile,
      ],
    ],
  ];

  test.each(deaths)("when SIGKILL strikes %s, and what it was at can be collected", async (_, command) => {
    const here = await world();
    const id = randomUUID();
    here.sim.script({ scenario: "hold_mid_text" });
    const env = serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir });
    const host = startHosted({ command, env });
    await host.handshake();
    host.send(toolCall(1, "chat", { message: "Stay.", request_id: id }));
    await until("it is being answered", () => here.sim.ledger.holding === 1);
    await untilRow(here.dataDir, id, "is streaming", ({ state }) => state === "streaming");
    const pidOf = (who: string) => Number(new RegExp(`^${who} (\\d+)$`, "m").exec(host.stderr())?.[1]);
    const server = pidOf("server");
    expect(isRunning(server)).toBe(true);

    const since = performance.now();
    process.kill(pidOf("killed"), "SIGKILL");
    await until("the server is gone", () => !isRunning(server));

    expect(performance.now() - since).toBeLessThan(2_000);
    expect(requestRow(here.dataDir, id)).toMatchObject({ state: "recovery_required", owner: null });
    await expectCollected(here, id, "You said: Stay.");
  });

  async function expectCollected(here: World, id: string, text: string) {
    here.sim.release();
    const next = await here.server();
    expect(said(await next.call("answers", { action: "wait", request_id: id }))).toMatchObject({
      status: "completed",
      text,
    });
    expect(here.sim.ledger.posts).toBe(1);
  }

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

  test.each(waysOut)(
    "when %s in the middle of a request, which is committed and can be collected",
    async (_, leave) => {
      const here = await world();
      const id = randomUUID();
      here.sim.script({ scenario: "hold_mid_text" });
      const server = hostedServer(here);
      await server.handshake();
      server.send(toolCall(1, "chat", { message: "Stay.", request_id: id }));
      await untilRow(here.dataDir, id, "is streaming", ({ state }) => state === "streaming");
      await until("it is being answered", () => here.sim.ledger.holding === 1);

      const since = performance.now();
      leave(server);

      const { code, ms } = await server.ended(since);
      expect(code).toBe(0);
      expect(ms).toBeLessThan(2_000);
      expect(requestRow(here.dataDir, id)).toMatchObject({ state: "recovery_required", owner: null });
      await expectCollected(here, id, "You said: Stay.");
    },
  );

  /** Wherever in its life the request is: the state at the end, and after the next process looked at it. */
  const moments: [ScenarioName, string, string, number][] = [
    ["no_headers", "unknown_outcome", "unknown_outcome", 1],
    ["hold_queued", "recovery_required", "completed", 1],
    ["hold_after_created", "recovery_required", "completed", 1],
    ["hold_before_terminal", "recovery_required", "completed", 1],
  ];

  test.each(moments)(
    "when its input closes during %s, and the request is %s",
    async (scenario, state, later, posts) => {
      const here = await world();
      const id = randomUUID();
      here.sim.script({ scenario });
      const server = hostedServer(here);
      await server.handshake();
      server.send(toolCall(1, "chat", { message: "Stay.", request_id: id }));
      await until("it is being answered", () => here.sim.ledger.holding === 1);

      const since = performance.now();
      server.child.stdin?.end();

      expect((await server.ended(since)).ms).toBeLessThan(2_000);
      expect(requestRow(here.dataDir, id)).toMatchObject({ state, owner: null });
      here.sim.release();
      const next = await here.server();
      expect(said(await next.call("answers", { action: "wait", request_id: id }))).toMatchObject({
        status: later,
      });
      const inbox = said(await next.call("answers", { action: "inbox" }));
      expect(inbox["attention"]).toHaveLength(later === "completed" ? 0 : 1);
      expect(here.sim.ledger.posts).toBe(posts);
    },
  );

  test("when its input closes while a call waits for its next attempt, which then is never made", async () => {
    const here = await world();
    const id = randomUUID();
    here.sim.script({ times: 1, scenario: { reply: { status: 429, retryAfterS: 20 } } });
    const server = hostedServer(here);
    await server.handshake();
    server.send(toolCall(1, "chat", { message: "Stay.", request_id: id }));
    await untilRow(here.dataDir, id, "is deferred", ({ events }) => events.includes("upstream.unstarted"));

    const since = performance.now();
    server.child.stdin?.end();

    expect((await server.ended(since)).ms).toBeLessThan(2_000);
    const next = await here.server();
    expect(said(await next.call("answers", { action: "wait", request_id: id }))).toMatchObject({
      status: "failed",
      failure: { code: "not_sent" },
    });
    expect(here.sim.ledger.posts).toBe(0);
    expect(here.sim.ledger.attempts).toBe(1);
  });
});

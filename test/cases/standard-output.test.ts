/** Standard output belongs to the protocol, whatever a server finds around it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { type Hosted, hostedServer, outcomeOf, toolCall } from "../support/host-process.ts";
import { testKey } from "../support/stdio.ts";
import { temporaryDirectory, until, world } from "../support/world.ts";

const secret = "the launch is on Tuesday";

describe("C36: standard output carries JSON-RPC and nothing else", () => {
  /** A `.env` that would lead everything astray if it were read. */
  function withEnvFile(): string {
    const directory = temporaryDirectory();
    const elsewhere = join(directory, "elsewhere");
    const astray = `OPENAI_API_KEY=another-key-not-real\nOPENAI_BASE_URL=http://127.0.0.1:9/v1\nOPENAI_MODEL=astray\nCLAIMCHECK_DATA_DIR=${elsewhere}\nCLAIMCHECK_WAIT_MS=never\nCLAIMCHECK_PROVIDER=nobody\n`;
    for (const name of [".env", ".env.local", ".env.production"])
      writeFileSync(join(directory, name), astray);
    return directory;
  }

  const noise = {
    DEBUG: "*",
    OPENAI_LOG: "debug",
    NODE_OPTIONS: "--pending-deprecation --trace-warnings --trace-deprecation",
    NODE_DEBUG: "http,net,tls,fetch,undici",
    CLAIMCHECK_LOG_LEVEL: "debug",
    FORCE_COLOR: "3",
  };

  const surroundings: [string, Record<string, string>, () => string][] = [
    ["nothing unusual", {}, temporaryDirectory],
    ["a .env file in the directory", {}, withEnvFile],
    ["DEBUG=*", { DEBUG: noise.DEBUG }, temporaryDirectory],
    ["OPENAI_LOG=debug", { OPENAI_LOG: noise.OPENAI_LOG }, temporaryDirectory],
    ["deprecation warnings", { NODE_OPTIONS: noise.NODE_OPTIONS }, temporaryDirectory],
    ["Node's own debugging", { NODE_DEBUG: noise.NODE_DEBUG }, temporaryDirectory],
    ["the fullest log", { CLAIMCHECK_LOG_LEVEL: "debug" }, temporaryDirectory],
    ["all of it", noise, withEnvFile],
  ];

  /** Everything a server may be made to say something by, then SIGTERM in the middle of a call. */
  async function provoke(server: Hosted): Promise<void> {
    server.send({ id: 1, method: "tools/list" });
    server.send({ id: 2, method: "no/such/method" });
    server.child.stdin?.write("this is not JSON\n");
    server.send(toolCall(3, "chat", { message: secret, modle: "x" }));
    server.send(toolCall(4, "chat", { message: `broken: ${secret}` }, { progressToken: 4 }));
    server.send(toolCall(5, "chat", { message: `lost: ${secret}` }));
    for (const id of [1, 2, 3, 4, 5]) await server.reply(id);
  }

  function expectProtocolOnly(server: Hosted) {
    expect(server.lines()).not.toEqual([]);
    for (const line of server.lines()) {
      const message = JSON.parse(line);
      // JSON-RPC 2.0 answers a line that it cannot read with an id of null, which the SDK's schema does not know.
      const known = message.error !== undefined && message.id === null ? { ...message, id: 0 } : message;
      expect(() => parseJSONRPCMessage(known), line).not.toThrow();
    }
  }

  test.each(surroundings)("with %s", async (_, env, directory) => {
    const here = await world();
    here.sim.script({ match: { message: "broken" }, scenario: "reset_mid_text" });
    here.sim.script({ match: { message: "lost" }, scenario: "html_502" });
    here.sim.script({ match: { message: "held" }, scenario: "hold_mid_text" });
    const server = hostedServer(here, env, directory());
    await server.handshake();
    await provoke(server);

    server.send(toolCall(6, "chat", { message: `held: ${secret}` }));
    await until("it is held", () => here.sim.ledger.holding === 1);
    const since = performance.now();
    server.child.kill("SIGTERM");
    const { code, signal, ms } = await server.ended(since);

    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(ms).toBeLessThan(2_000);
    expectProtocolOnly(server);
    expect(outcomeOf(await server.reply(4))).toMatchObject({ status: "completed" });
    expect(outcomeOf(await server.reply(5))).toMatchObject({ status: "unknown_outcome" });
    expect(here.sim.ledger.posts).toBe(3);
    expect(
      here.sim.ledger.requests.every(
        ({ body }) => (body as { model?: string } | undefined)?.model !== "astray",
      ),
    ).toBe(true);
    expect(server.stderr()).not.toContain(testKey);
    expect(server.stderr()).not.toContain(secret);
  });

  test("what goes wrong is said on standard error, one JSON object a line, in metadata only", async () => {
    const here = await world();
    here.sim.script({ match: { message: "lost" }, scenario: "html_502" });
    const server = hostedServer(here, { CLAIMCHECK_LOG_LEVEL: "debug" });
    await server.handshake();
    server.send(toolCall(1, "chat", { message: `lost: ${secret}` }));
    await server.reply(1);
    server.child.stdin?.end();
    await server.ended(0);

    const log = server.stderr().trim().split("\n");
    for (const line of log) {
      expect(JSON.parse(line), line).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        level: expect.stringMatching(/^(error|warn|info|debug)$/),
        event: expect.any(String),
      });
    }
    expect(log.some((line) => line.includes('"tool.called"') && line.includes("unknown_outcome"))).toBe(true);
    expect(server.stderr()).not.toContain(secret);
  });

  /** Root may write anywhere that is not barred by what it is. */
  const unwritable: [string, (base: string) => string][] = [
    ["below a regular file", (base) => join(base, "file", "data")],
    ["a regular file", (base) => join(base, "file")],
    ["below /dev/null", () => "/dev/null/claimcheck"],
    ["holding a directory where the database goes", (base) => join(base, "full")],
    ["with a name too long for any disk", (base) => join(base, "x".repeat(300))],
  ];

  test.each(unwritable)("with a data directory that cannot be written, being %s", async (_, pathIn) => {
    const here = await world();
    const base = temporaryDirectory();
    writeFileSync(join(base, "file"), "in the way");
    mkdirSync(join(base, "full", "claimcheck.db"), { recursive: true });
    const server = hostedServer(here, { ...noise, NODE_DEBUG: "", CLAIMCHECK_DATA_DIR: pathIn(base) });
    await server.handshake();

    server.send({ id: 1, method: "tools/list" });
    server.send(toolCall(2, "chat", { message: secret }));

    expect(await server.reply(1)).toMatchObject({ result: { tools: expect.any(Array) } });
    expect(outcomeOf(await server.reply(2))).toMatchObject({ status: "error", code: "storage_unavailable" });
    const since = performance.now();
    server.child.kill("SIGTERM");
    expect(await server.ended(since)).toMatchObject({ code: 0, signal: null });
    expectProtocolOnly(server);
    expect(server.stderr()).toMatch(/"event":"engine\.unavailable".*"code":"storage_unavailable"/);
    expect(server.stderr()).not.toContain(secret);
    expect(here.sim.ledger.attempts).toBe(0);
  });
});

/** Clients as hosts embed them, over real pipes to a real process. */
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { replyOf } from "./support/connect.ts";
import { buildFixtures, type Fixtures } from "./support/fixtures.ts";
import { allTools } from "./support/tools.ts";

let fixtures: Fixtures;
beforeAll(async () => {
  fixtures = await buildFixtures();
});
afterAll(() => fixtures.remove());

const identity = { name: "claude-code", version: "1.0.0" };
const command = () => ({ command: process.execPath, args: [fixtures.serve], stderr: "ignore" as const });

const clients = {
  "v1, handshake": async () => {
    const client = new LegacyClient(identity);
    await client.connect(new LegacyStdio(command()));
    return { client, era: client.getServerVersion()?.name };
  },
  "v2, handshake": async () => {
    const client = new ModernClient(identity);
    await client.connect(new ModernStdio(command()));
    return { client, era: client.getProtocolEra() };
  },
  "v2, choosing by itself": async () => {
    const client = new ModernClient(identity, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernStdio(command()));
    return { client, era: client.getProtocolEra() };
  },
  "v2, 2026-07-28 only": async () => {
    const client = new ModernClient(identity, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new ModernStdio(command()));
    return { client, era: client.getProtocolEra() };
  },
} as const;

describe.each([
  ["v1, handshake", "claimcheck"],
  ["v2, handshake", "legacy"],
  ["v2, choosing by itself", "modern"],
  ["v2, 2026-07-28 only", "modern"],
] as const)("a client of kind %s", (kind, expectedEra) => {
  test("connects, lists the tools, asks, and leaves a server that ends", async () => {
    const { client, era } = await clients[kind]();
    onTestFinished(() => client.close());
    expect(era).toBe(expectedEra);
    expect(client.getInstructions()).toMatch(/cloakroom/);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
      allTools.map(({ name }) => name),
    );
    const reply = replyOf(await client.callTool({ name: "chat", arguments: { message: "hello" } }));
    expect(reply).toMatchObject({ isError: false, structured: { status: "completed", text: "hello" } });

    const since = performance.now();
    await client.close();
    // A client that closed waits 2 s for the process before it sends SIGTERM.
    expect(performance.now() - since).toBeLessThan(1_900);
  });
});

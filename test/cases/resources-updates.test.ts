/** The clients that hosts embed, told by one server of what another one does on the same database. */
import { randomUUID } from "node:crypto";
import { Client as CurrentClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as CurrentStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { catalogue } from "../../src/simulator/simulator.ts";
import { requestRow } from "../support/request-row.ts";
import { said } from "../support/said.ts";
import { serverEnvironment, serverFile } from "../support/stdio.ts";
import { until, type World, world } from "../support/world.ts";

const clientKinds = ["v1 client", "v2 client, handshake", "v2 client, modern"] as const;
type ClientKind = (typeof clientKinds)[number];

interface Subscriber {
  /** URIs in the order they were told of. */
  heard: string[];
  /** Returns the way to unsubscribe. */
  subscribe(uri: string): Promise<() => Promise<unknown>>;
  read(uri: string): Promise<Record<string, unknown>>;
}

const identity = { name: "subscriber", version: "1.0.0" };

async function subscriber(kind: ClientKind, here: World): Promise<Subscriber> {
  const env = serverEnvironment({ upstream: here.sim.url, dataDir: here.dataDir });
  const command = { command: process.execPath, args: [serverFile, "serve"], env, stderr: "ignore" as const };
  return kind === "v1 client" ? legacy(command) : current(kind, command);
}

type Command = ConstructorParameters<typeof LegacyStdio>[0];

async function legacy(command: Command): Promise<Subscriber> {
  const client = new LegacyClient(identity);
  const heard: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void heard.push(params.uri),
  );
  await client.connect(new LegacyStdio(command));
  onTestFinished(() => client.close());
  return {
    heard,
    subscribe: async (uri) => {
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    read: async (uri) => bodyOf(await client.readResource({ uri })),
  };
}

async function current(kind: ClientKind, command: Command): Promise<Subscriber> {
  const modern = kind === "v2 client, modern";
  const client = new CurrentClient(identity, { versionNegotiation: { mode: modern ? "auto" : "legacy" } });
  const heard: string[] = [];
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void heard.push(params.uri),
  );
  await client.connect(new CurrentStdio(command));
  onTestFinished(() => client.close());
  return {
    heard,
    subscribe: async (uri) => {
      if (modern) {
        const subscription = await client.listen({ resourceSubscriptions: [uri] });
        expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
        return () => subscription.close();
      }
      await client.subscribeResource({ uri });
      return () => client.unsubscribeResource({ uri });
    },
    read: async (uri) => bodyOf(await client.readResource({ uri })),
  };
}

function bodyOf({ contents }: { contents: object[] }): Record<string, unknown> {
  const [only] = contents;
  return JSON.parse(only !== undefined && "text" in only ? String(only.text) : "");
}

describe.each(clientKinds)("a %s", (kind) => {
  test("hears of a request from before it is made until it is finished by another process", async () => {
    const here = await world();
    const [there, follower] = await Promise.all([here.server(), subscriber(kind, here)]);
    const id = randomUUID();
    const uri = `claimcheck://requests/${id}`;
    here.sim.script({ scenario: catalogue.hold_after_created });
    await follower.subscribe(uri);

    await there.call("chat", { message: "Held.", request_id: id, wait_ms: 0 });
    await until("it is told of the request", () => follower.heard.length > 0);
    await until("it stands still", async () => statusOf(await follower.read(uri)) === "streaming");
    await until("it holds upstream", () => here.sim.ledger.holding > 0);
    const before = follower.heard.length;
    here.sim.release();
    await until("it is told of the end", async () => follower.heard.length > before);
    expect(statusOf(await follower.read(uri))).toBe("completed");
    expect(new Set(follower.heard)).toEqual(new Set([uri]));
    expect(follower.heard.length).toBeLessThanOrEqual(4);
  });

  test("hears of a session, and of nothing any more once it has unsubscribed", async () => {
    const here = await world();
    const [there, follower] = await Promise.all([here.server(), subscriber(kind, here)]);
    const session = sessionOf(said(await there.call("chat", { message: "One." })));
    const other = sessionOf(said(await there.call("chat", { message: "Another." })));
    const mine = `claimcheck://sessions/${session}`;
    const unsubscribe = await follower.subscribe(mine);
    await follower.subscribe(`claimcheck://sessions/${other}`);

    await there.call("sessions", { operation: "configure", session_id: session, name: "Mine" });
    await until("it is told", () => follower.heard.includes(mine));
    expect(follower.heard).toEqual([mine]);

    await unsubscribe();
    await there.call("sessions", { operation: "configure", session_id: session, name: "Still mine" });
    await there.call("sessions", { operation: "configure", session_id: other, name: "Other" });
    await until("it is told of the other", () => follower.heard.length > 1);
    expect(follower.heard).toEqual([mine, `claimcheck://sessions/${other}`]);
  });

  test("does not hear that an answer was read, since the request did not change", async () => {
    const here = await world();
    const [there, follower] = await Promise.all([here.server(), subscriber(kind, here)]);
    const id = randomUUID();
    const { session_id } = said(await there.call("chat", { message: "One.", request_id: id, wait_ms: 0 }));
    await until("it is finished", () => requestRow(here.dataDir, id)?.finished === 1);
    expect(requestRow(here.dataDir, id)).toMatchObject({ delivered: 0 });
    await follower.subscribe(`claimcheck://requests/${id}`);
    await follower.subscribe(`claimcheck://sessions/${session_id}`);

    await there.call("answers", { action: "read", request_id: id });
    await until("it is told that the session's turn was read", () => follower.heard.length > 0);
    await there.call("sessions", { operation: "configure", session_id, name: "Later" });
    await until("it is told of what came later", () => follower.heard.length > 1);
    expect(requestRow(here.dataDir, id)).toMatchObject({ delivered: 1 });
    expect(new Set(follower.heard)).toEqual(new Set([`claimcheck://sessions/${session_id}`]));
  });
});

function statusOf({ request }: Record<string, unknown>): unknown {
  return typeof request === "object" && request !== null && "status" in request ? request.status : undefined;
}

const sessionOf = ({ session_id }: Record<string, unknown>) => String(session_id);

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { mermaid } from "../../src/chart/mermaid.ts";
import { requestChart, requestDrawing } from "../../src/chart/request-picture.ts";
import { ClaimcheckError } from "../../src/contract/errors.ts";
import type { JournalView, RequestLine } from "../../src/contract/views.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { requestUri, sessionUri } from "../../src/mcp/resources/address.ts";
import { clientKinds, connect } from "./support/connect.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { aRequest, aSession, otherId, requestId, sessionId } from "./support/views.ts";

const at = "2026-01-01T00:00:00.000Z";

const aRow = (seq: number): JournalView => ({
  seq,
  note: 0,
  event: "upstream.completed",
  state: "completed",
  at,
  process: "1",
  payload: {},
});

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

const aLine = (n: number, session = uuid(900 + (n % 3))): RequestLine => ({
  request_id: uuid(n),
  session_id: session,
  status: "completed",
  tool: "chat",
  turn: 1,
  requested_model: "gpt-test",
  created_at: at,
  updated_at: at,
  delivered: true,
});

/** As an engine lists them: newest first. */
function holding(lines: RequestLine[], scripted: Partial<Engine> = {}) {
  return fakeEngine({
    requests: async ({ limit }) => ({ requests: lines.slice(0, limit) }),
    session: async (id) => aSession({ session_id: id }),
    ...scripted,
  });
}

async function read(uri: string, engine?: Engine) {
  const { client } = await connect({ kind: "v1", ...(engine && { engine }) });
  const { contents } = await client.readResource({ uri });
  const [only, ...more] = contents;
  expect(more).toEqual([]);
  expect(only).toMatchObject({ uri, text: expect.any(String) });
  return { mimeType: only?.mimeType, text: String(only && "text" in only ? only.text : "") };
}

describe.each(clientKinds)("to the %s client", (kind) => {
  test("the server declares what it does with resources and prompts, and nothing more", async () => {
    const { client } = await connect({ kind });
    expect(client.getServerCapabilities()).toMatchObject({
      resources: { subscribe: true, listChanged: false },
      prompts: { listChanged: false },
      completions: {},
    });
  });

  test("both templates are listed, titled and described", async () => {
    const { client } = await connect({ kind });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "claimcheck://requests/{id}",
      "claimcheck://sessions/{id}",
    ]);
    for (const { title, description, mimeType } of resourceTemplates) {
      expect(title).toBeTruthy();
      expect(description).toBeTruthy();
      expect(mimeType).toBe("application/json");
    }
  });

  test("a resource that is not there is an error that names it and says where to look", async () => {
    const engine = fakeEngine({
      inspect: async () => {
        throw new ClaimcheckError("unknown_request", 'No request here. sessions {"operation":"list"} shows.');
      },
    });
    const { client } = await connect({ kind, engine });
    const uri = requestUri(otherId);
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('sessions {"operation":"list"}'),
      data: { uri },
    });
  });

  test("what is no address of ours is an error that names those there are", async () => {
    const engine = fakeEngine();
    const { client } = await connect({ kind, engine });
    const uri = `file:///etc/passwd?${"a".repeat(5_000)}`;
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/claimcheck:\/\/requests\/\{id\}.*claimcheck:\/\/machines\/request/),
      data: { uri: uri.slice(0, 256) },
    });
    expect(engine.asked).toEqual([]);
  });

  test("what the engine refuses is an error with its code and the next step", async () => {
    const engine = async () => {
      throw new ClaimcheckError("storage_newer", "The database is newer.");
    };
    const { client } = await connect({ kind, engine });
    const refused = {
      code: -32603,
      message: expect.stringMatching(/The database is newer\. Upgrade claimcheck/),
      data: { code: "storage_newer", next: expect.stringContaining("Upgrade") },
    };
    await expect(client.readResource({ uri: requestUri(requestId) })).rejects.toMatchObject(refused);
    await expect(client.listResources()).rejects.toMatchObject(refused);
  });

  test("what nobody expected is an incident, and nothing of it is told", async () => {
    const engine = fakeEngine({
      inspect: async () => {
        throw new Error("sk-secret in the message");
      },
    });
    const { client, logged } = await connect({ kind, engine });
    const told = await client.readResource({ uri: requestUri(requestId) }).catch((error: unknown) => error);
    expect(told).toMatchObject({ code: -32603, data: { code: "internal", incident: "incident-1" } });
    expect(JSON.stringify([told, String(told), logged])).not.toContain("sk-secret");
  });
});

test("hosts of the modern era keep what never changes, and never a reading", async () => {
  const { client, sent } = await connect({ engine: holding([aLine(1)]) });
  await client.listResources();
  await client.listResourceTemplates();
  await client.listPrompts();
  await client.readResource({ uri: requestUri(requestId) });
  const results = sent.flatMap((message) => ("result" in message ? [message.result] : []));
  const hints = (key: string) => results.find((result) => key in result);
  expect(hints("resources")).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  expect(hints("contents")).toMatchObject({ ttlMs: 0, cacheScope: "private" });
  expect(hints("resourceTemplates")).toMatchObject({ ttlMs: 300_000, cacheScope: "public" });
  expect(hints("prompts")).toMatchObject({ ttlMs: 300_000, cacheScope: "public" });
});

describe("a request", () => {
  test("is its record and its journal, looked at and not collected", async () => {
    const request = aRequest({ status: "streaming", next: "The work goes on." });
    const engine = fakeEngine({ inspect: async () => request, journal: async () => [aRow(0), aRow(1)] });
    const { mimeType, text } = await read(requestUri(requestId.toUpperCase()), engine);
    expect(mimeType).toBe("application/json");
    expect(JSON.parse(text)).toEqual({ request, journal: [aRow(0), aRow(1)] });
    expect(engine.asked).toEqual([
      { method: "inspect", args: [requestId] },
      { method: "journal", args: [requestId] },
    ]);
  });

  test.each(["completed", "refused", "incomplete"] as const)(
    "that is %s says which call gives its answer",
    async (status) => {
      const engine = fakeEngine({ inspect: async () => aRequest({ status }) });
      const { text } = await read(requestUri(requestId), engine);
      expect(JSON.parse(text).request.next).toContain(
        `answers {"action":"read","request_id":"${requestId}"}`,
      );
    },
  );

  test("with a long journal shows its end and says how much went before", async () => {
    const rows = Array.from({ length: 75 }, (_, seq) => aRow(seq));
    const { text } = await read(requestUri(requestId), fakeEngine({ journal: async () => rows }));
    expect(JSON.parse(text)).toMatchObject({ earlier_rows: 15, journal: rows.slice(15) });
  });
});

describe("a session", () => {
  test("is its settings and its latest requests, each with its own address", async () => {
    const line = aLine(1, sessionId);
    const engine = fakeEngine({
      session: async () => aSession({ name: "My talk" }),
      history: async () => ({ session_id: sessionId, requests: [line], next_cursor: "1.x" }),
    });
    const { text } = await read(sessionUri("My talk"), engine);
    expect(JSON.parse(text)).toEqual({
      session: aSession({ name: "My talk" }),
      requests: [{ uri: requestUri(uuid(1)), ...line }],
      next: expect.stringMatching(/chat \{.*answers \{"action":"history",.*"before":"1\.x"\}/),
    });
    expect(engine.asked[0]).toEqual({ method: "session", args: ["My talk"] });
  });

  test("that is held says by which request", async () => {
    const engine = fakeEngine({ session: async () => aSession({ active_request_id: otherId }) });
    const { text } = await read(sessionUri(sessionId), engine);
    expect(JSON.parse(text).next).toContain(`request_status {"request_id":"${otherId}","action":"inspect"}`);
  });
});

describe("the machine", () => {
  const committed = readFileSync(new URL("../../machines/request.svg", import.meta.url), "utf8");
  const forms: [string, string, string][] = [
    ["claimcheck://machines/request", "text/vnd.mermaid", mermaid(requestDrawing)],
    ["claimcheck://machines/request.mmd", "text/vnd.mermaid", mermaid(requestDrawing)],
    ["claimcheck://machines/request.svg", "image/svg+xml", committed],
    ["claimcheck://machines/request.json", "application/json", JSON.stringify(requestChart)],
  ];
  test.each(forms)("%s is drawn from the machine itself, without storage", async (uri, mimeType, text) => {
    const engine = fakeEngine();
    expect(await read(uri, engine)).toEqual({ mimeType, text });
    expect(engine.asked).toEqual([]);
  });
});

describe("the list of resources", () => {
  test("begins with the machine, then goes from the newest request, each session before its first", async () => {
    const lines = [aLine(1, uuid(900)), aLine(2, uuid(901)), aLine(3, uuid(900))];
    const { client } = await connect({ kind: "v1", engine: holding(lines) });
    const { resources, nextCursor } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "claimcheck://machines/request",
      "claimcheck://machines/request.svg",
      "claimcheck://machines/request.json",
      sessionUri(uuid(900)),
      requestUri(uuid(1)),
      sessionUri(uuid(901)),
      requestUri(uuid(2)),
      requestUri(uuid(3)),
    ]);
    expect(nextCursor).toBeUndefined();
    for (const { title, description, mimeType } of resources) {
      expect(title).toBeTruthy();
      expect(description).toBeTruthy();
      expect(mimeType).toBeTruthy();
    }
    expect(resources.at(-1)?.annotations).toEqual({ lastModified: at });
  });

  test("comes in pages without gap or repeat, and ends with the newest hundred", async () => {
    const lines = Array.from({ length: 130 }, (_, n) => aLine(n));
    const { client } = await connect({ kind: "v1", engine: holding(lines) });
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      seen.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBe(5);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((uri) => uri.includes("/requests/"))).toEqual(
      lines.slice(0, 100).map(({ request_id }) => requestUri(request_id)),
    );
    expect(seen.filter((uri) => uri.includes("/sessions/"))).toHaveLength(3);
  });

  test("goes on where it was when new requests came in between", async () => {
    const lines = Array.from({ length: 30 }, (_, n) => aLine(n));
    const { client } = await connect({ kind: "v1", engine: holding(lines) });
    const { nextCursor } = await client.listResources();
    lines.unshift(aLine(500), aLine(501));
    const second = await client.listResources({ cursor: String(nextCursor) });
    expect(second.resources.map(({ uri }) => uri)).toEqual(
      lines.slice(22).map(({ request_id }) => requestUri(request_id)),
    );
  });

  test("ends at a cursor that the list has moved past", async () => {
    const { client } = await connect({ kind: "v1", engine: holding([aLine(1)]) });
    const { resources, nextCursor } = await client.listResources({ cursor: "somewhere else" });
    expect({ resources, nextCursor }).toEqual({ resources: [], nextCursor: undefined });
  });

  test("leaves out a session that was deleted meanwhile", async () => {
    const engine = holding([aLine(1)], {
      session: async () => {
        throw new ClaimcheckError("unknown_session", "No such session here.");
      },
    });
    const { client } = await connect({ kind: "v1", engine });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).slice(3)).toEqual([requestUri(uuid(1))]);
  });
});

/** Asking what became of a response. A fault says nothing about it; only upstream's own word does. */
import { describe, expect, test } from "vitest";
import type { Retrieval } from "../../src/providers/provider.ts";
import { sayJson, serve } from "./support/byte-server.ts";
import { message, response, responseId, textPart, usage } from "./support/events.ts";
import { all, never, paidCall, providerAt, secretWord, upstream } from "./support/provider.ts";

async function answered(scenario: Parameters<typeof upstream>[0]) {
  const world = await upstream(scenario);
  await all(world.provider.send(paidCall(), never));
  return { ...world, id: world.ledger.responses[0]?.id ?? "" };
}

describe("a response asked for", () => {
  test("is settled as it ended", async () => {
    const { provider, id } = await answered({ output: { text: "One two three." } });

    expect(await provider.retrieve(id, never)).toMatchObject({
      type: "upstream.completed",
      outcome: {
        responseId: id,
        text: "One two three.",
        kinds: ["message"],
        usage: expect.anything(),
        echo: { store: true, background: true, previousResponseId: null },
      },
    });
  });

  test("gives the same outcome as its stream did", async () => {
    const { provider, ledger } = await upstream("citations");
    const streamed = (await all(provider.send(paidCall(), never))).at(-1);

    expect(await provider.retrieve(ledger.responses[0]?.id ?? "", never)).toEqual(streamed);
  });

  test("through every hiccup there is, one after another", async () => {
    const { provider, id } = await answered("rough_retrieval");

    const seen: Retrieval[] = [];
    for (let asked = 0; asked < 6; asked += 1) seen.push(await provider.retrieve(id, never));

    expect(seen).toMatchObject([
      {
        type: "retrieval.faulted",
        failure: { code: "upstream_unavailable", status: 503 },
        retryAfterMs: null,
      },
      {
        type: "retrieval.faulted",
        failure: { code: "rate_limited", status: 429, retryAfterS: 1 },
        retryAfterMs: 1_000,
      },
      {
        type: "retrieval.faulted",
        failure: { code: "connection_failed", cause: expect.stringMatching(/SOCKET|RESET/) },
      },
      { type: "retrieval.faulted", failure: { code: "upstream_unavailable", cause: "malformed" } },
      {
        type: "retrieval.pending",
        status: "in_progress",
        model: "gpt-sim",
        echo: { store: true, background: true },
      },
      { type: "upstream.completed" },
    ]);
  });

  const ends: [object, object][] = [
    [response("queued"), { type: "retrieval.pending", status: "queued" }],
    [response("a_status_of_tomorrow"), { type: "retrieval.pending", status: "a_status_of_tomorrow" }],
    [response("cancelled"), { type: "upstream.cancelled", outcome: { reason: "cancelled" } }],
    [
      response("cancelled", { output: [message(textPart("So far"))] }),
      { type: "upstream.cancelled", outcome: { text: "So far" } },
    ],
    [
      response("incomplete", { incomplete_details: { reason: "content_filter" } }),
      { type: "upstream.incomplete", outcome: { reason: "content_filter" } },
    ],
    [
      response("failed", { error: { code: "server_error", message: secretWord } }),
      { type: "upstream.failed", failure: { code: "upstream_failed", upstreamCode: "server_error" } },
    ],
    [
      response("completed", { output: [message({ type: "refusal", refusal: "No." })], usage }),
      { type: "upstream.refused", outcome: { refusal: "No.", text: "", usage } },
    ],
    [{ id: responseId, output: [message(textPart("No status."))] }, { type: "upstream.completed" }],
    [
      { id: responseId, output: [] },
      { type: "retrieval.pending", status: "unknown" },
    ],
    [
      response("completed", {
        output: [{ type: "message", content: null }, null, "?", message(textPart("Still."))],
      }),
      { type: "upstream.completed", outcome: { text: "Still." } },
    ],
    [response("completed", { output: undefined }), { type: "upstream.completed", outcome: { text: "" } }],
    [response("completed", { id: "resp_rotated" }), { type: "upstream.completed", outcome: { responseId } }],
  ];
  test.each(ends)("as %j", async (body, retrieval) => {
    const server = await serve(sayJson(body));

    const found = await providerAt(server.url).retrieve(responseId, never);

    expect(found).toMatchObject(retrieval);
    expect(JSON.stringify(found)).not.toContain(secretWord);
  });

  test("that upstream does not have is missing", async () => {
    const { provider } = await upstream();

    expect(await provider.retrieve("resp_nowhere", never)).toEqual({ type: "retrieval.missing" });
  });
});

describe("an asking that fails", () => {
  const faults: [string, number, Record<string, string>, object][] = [
    ["with a wrong key", 401, {}, { code: "authentication_failed", status: 401 }],
    ["without the right", 403, {}, { code: "authentication_failed", status: 403 }],
    ["at a gateway", 502, {}, { code: "upstream_unavailable", status: 502 }],
    ["in time", 408, {}, { code: "upstream_unavailable", status: 408 }],
    ["at a redirect", 302, { location: "/login" }, { code: "upstream_unavailable", status: 302 }],
    ["for a reason of upstream's", 400, {}, { code: "request_rejected", status: 400 }],
  ];
  test.each(faults)("%s", async (_, status, headers, failure) => {
    const server = await serve((reply) => reply.writeHead(status, headers).end("<html>"));

    expect(await providerAt(server.url).retrieve(responseId, never)).toEqual({
      type: "retrieval.faulted",
      failure,
      retryAfterMs: null,
    });
  });

  test("at a busy gateway is told when to ask again", async () => {
    const server = await serve((reply) => reply.writeHead(503, { "retry-after": "2" }).end());

    expect(await providerAt(server.url).retrieve(responseId, never)).toMatchObject({ retryAfterMs: 2_000 });
  });

  test.each(["", "<html>", "{}", '"resp"', "[1]"])("at %j, which is no response", async (body) => {
    const server = await serve((reply) => reply.writeHead(200, { "content-type": "text/html" }).end(body));

    expect(await providerAt(server.url).retrieve(responseId, never)).toMatchObject({
      type: "retrieval.faulted",
      failure: { code: "upstream_unavailable", cause: "malformed", status: 200 },
    });
  });

  test("since the document is too large", async () => {
    const server = await serve(sayJson(response("completed", { pad: "x".repeat(20_000) })));
    const provider = providerAt(server.url, { limits: { textBytes: 1_000, eventBytes: 10_000 } });

    expect(await provider.retrieve(responseId, never)).toMatchObject({ failure: { cause: "oversized" } });
  });

  test("since nobody answers in time", async () => {
    const server = await serve(() => undefined);

    expect(await providerAt(server.url, { firstByteMs: 100 }).retrieve(responseId, never)).toMatchObject({
      type: "retrieval.faulted",
      failure: { code: "connection_failed", cause: "first_byte_timeout" },
    });
  });

  test("since the body stalls", async () => {
    const server = await serve((reply) => {
      reply.writeHead(200, { "content-type": "application/json" }).write('{"id":');
    });

    expect(await providerAt(server.url, { idleMs: 100 }).retrieve(responseId, never)).toMatchObject({
      type: "retrieval.faulted",
      failure: { code: "upstream_unavailable", cause: "idle" },
    });
  });

  test("since nobody is there", async () => {
    const { provider, simulator } = await upstream();
    await simulator.pause();

    expect(await provider.retrieve(responseId, never)).toMatchObject({
      type: "retrieval.faulted",
      failure: { code: "connection_failed", cause: "ECONNREFUSED" },
    });
  });

  test("since it was called off", async () => {
    const caller = new AbortController();
    const server = await serve(() => caller.abort());

    expect(await providerAt(server.url).retrieve(responseId, caller.signal)).toMatchObject({
      type: "retrieval.faulted",
      failure: { cause: "caller" },
    });
  });

  test("since no path can hold such an id", async () => {
    const server = await serve(sayJson({}));

    expect(await providerAt(server.url).retrieve("..", never)).toMatchObject({ type: "retrieval.faulted" });
    expect(server.seen).toEqual([]);
  });

  test("an id with a slash stays one id", async () => {
    const server = await serve(sayJson(response("completed")));

    await providerAt(server.url).retrieve("../models", never);

    expect(server.seen).toEqual(["GET /v1/responses/..%2Fmodels"]);
  });
});

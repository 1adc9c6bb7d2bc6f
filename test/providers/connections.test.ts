/** Calls that never reached upstream, and calls nobody can tell about: the socket decides which is which. */
import { type AddressInfo, createServer, type Server } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { serve } from "./support/byte-server.ts";
import { answer, sse } from "./support/events.ts";
import { all, closing, never, paidCall, providerAt, upstream } from "./support/provider.ts";

/** A port that takes connections and does with them what it is told. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => new Promise<void>((closed) => void server.close(() => closed())));
  return (server.address() as AddressInfo).port;
}

describe("provably not started", () => {
  test("a port nobody listens on, and the same call goes through once somebody does", async () => {
    const simulator = await startSimulator();
    onTestFinished(() => simulator.close());
    await simulator.pause();
    const provider = providerAt(simulator.url);

    expect(closing(await all(provider.send(paidCall(), never)))).toEqual({
      type: "upstream.unstarted",
      failure: { code: "connection_failed", cause: "ECONNREFUSED" },
      retryAfterMs: 250,
    });
    await simulator.resume();

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.completed",
    });
    expect(simulator.ledger.posts).toBe(1);
  });

  test("every address of a name refuses", async () => {
    const { simulator } = await upstream();
    await simulator.pause();
    const provider = providerAt(simulator.url.replace("127.0.0.1", "localhost"));

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.unstarted",
      failure: { cause: "ECONNREFUSED" },
    });
  });

  test("a name that does not resolve", async () => {
    const provider = providerAt("https://nobody.invalid/v1");

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.unstarted",
      failure: { code: "connection_failed", cause: expect.stringMatching(/^E/) },
      retryAfterMs: 250,
    });
  });

  test("a server that does not speak TLS", async () => {
    const plain = await serve((response) => response.end());

    const report = closing(
      await all(providerAt(plain.url.replace("http:", "https:")).send(paidCall(), never)),
    );

    expect(report).toMatchObject({
      type: "upstream.unstarted",
      failure: { code: "connection_failed", cause: expect.stringMatching(/SSL|EPROTO/) },
    });
  });

  test("a connection reset inside the TLS handshake, although a reset elsewhere is ambiguous", async () => {
    const port = await listening(
      createServer((socket) => socket.once("data", () => socket.resetAndDestroy())),
    );

    const report = closing(await all(providerAt(`https://127.0.0.1:${port}/v1`).send(paidCall(), never)));

    expect(report).toMatchObject({ type: "upstream.unstarted", failure: { cause: "ECONNRESET" } });
  });

  test("a handshake that does not come about in time", async () => {
    const sockets = new Set<{ destroy(): void }>();
    const port = await listening(createServer((socket) => sockets.add(socket)));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const provider = providerAt(`https://127.0.0.1:${port}/v1`, { firstByteMs: 150 });

    expect(closing(await all(provider.send(paidCall(), never)))).toEqual({
      type: "upstream.unstarted",
      failure: { code: "connection_failed", cause: "first_byte_timeout" },
      retryAfterMs: 250,
    });
  });

  test("a call called off before it began", async () => {
    const { provider, ledger } = await upstream();

    const reports = await all(provider.send(paidCall(), AbortSignal.abort()));

    expect(closing(reports)).toEqual({
      type: "upstream.unstarted",
      failure: { code: "not_sent", cause: "aborted" },
      retryAfterMs: null,
    });
    expect(ledger.attempts).toBe(0);
  });

  test("a call called off inside the handshake never leaves", async () => {
    const caller = new AbortController();
    const seen: Buffer[] = [];
    const sockets = new Set<{ destroy(): void }>();
    const port = await listening(
      createServer((socket) => {
        sockets.add(socket);
        socket.on("data", (bytes) => {
          seen.push(bytes);
          caller.abort();
        });
        socket.on("error", () => undefined);
      }),
    );
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });

    const reports = await all(providerAt(`https://127.0.0.1:${port}/v1`).send(paidCall(), caller.signal));

    expect(closing(reports)).toMatchObject({ type: "upstream.unstarted", failure: { code: "not_sent" } });
    // A TLS handshake record, and no request.
    expect(seen.map((bytes) => bytes[0])).toEqual([0x16]);
  });
});

describe("nobody can tell", () => {
  test("headers later than the first-byte limit", async () => {
    const { provider, ledger } = await upstream("no_headers", { firstByteMs: 600 });

    expect(closing(await all(provider.send(paidCall(), never)))).toEqual({
      type: "upstream.lost",
      cause: "first_byte_timeout",
      partial: null,
      carry: null,
    });
    expect(ledger).toMatchObject({ attempts: 1, posts: 1 });
  });

  test("a call called off after it left", async () => {
    const { provider, simulator, ledger } = await upstream("no_headers");
    const caller = new AbortController();

    const reports = all(provider.send(paidCall(), caller.signal));
    while (ledger.holding === 0) await new Promise((turn) => setImmediate(turn));
    caller.abort();

    expect(closing(await reports)).toEqual({ type: "aborted", partial: null, carry: null });
    simulator.release();
  });

  test("headers, and then no event", async () => {
    const { provider } = await upstream("slow_first_event", { idleMs: 150 });

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.lost",
      cause: "idle",
      upstreamRequestId: expect.any(String),
      carry: null,
    });
  });
});

describe("patience", () => {
  test("headers that come after the idle limit, but in time for a first byte, are no failure", async () => {
    const { provider } = await upstream({ pace: { headersMs: 900 } }, { firstByteMs: 5_000, idleMs: 600 });

    expect(closing(await all(provider.send(paidCall(), never)))).toMatchObject({
      type: "upstream.completed",
    });
  });

  test("early hints are bytes like any other and disturb nothing", async () => {
    const server = await serve((response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: "</style.css>; rel=preload" });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(sse(answer("Early.")));
    });

    expect(closing(await all(providerAt(server.url).send(paidCall(), never)))).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "Early." },
    });
  });

  test("every call has a connection of its own", async () => {
    const server = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(sse(answer("Hi.")));
    });
    const provider = providerAt(server.url);

    await all(provider.send(paidCall(), never));
    await all(provider.send(paidCall(), never));

    expect(server.headers.connection).toBe("close");
  });
});

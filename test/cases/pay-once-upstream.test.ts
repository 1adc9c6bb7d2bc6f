/** One request, one paid call, whatever upstream or the way to it does. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startGarbageServer } from "../../src/simulator/garbage-server.ts";
import type { Scenario, ScenarioName } from "../../src/simulator/simulator.ts";
import { door, forgetfulResolver, selfSigned, tlsGreeter } from "../support/bad-doors.ts";
import { everyKind } from "../support/every-kind.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import { tell } from "../support/told.ts";
import { expectOnePost, expectOwnPost, expectUnknown } from "../support/verdicts.ts";
import { type World, world } from "../support/world.ts";

const question = { message: "What is a cloakroom ticket?" };

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const withOpenssl = hasOpenssl ? "" : " (skipped: needs openssl)";

describe("C06: a call that provably never left is made again within its deadline, and paid for once", () => {
  test("when upstream's port was closed for 500 ms", async () => {
    const r1 = randomUUID();
    const { sim, dataDir, server } = await world();
    const host = await server();
    await sim.pause();

    const answer = tell(host, "chat", { ...question, request_id: r1 });
    const half = new Promise((resolve) => setTimeout(resolve, 500));
    const waiting = await untilRow(dataDir, r1, "was refused", ({ events }) =>
      events.includes("upstream.unstarted"),
    );
    expect(waiting.state).toBe("claimed");
    await half;
    await sim.resume();

    await expectTriedAgain(await answer, r1, { sim, dataDir });
  });

  test.each(["ENOTFOUND", "EAI_AGAIN"] as const)(
    "when its name could not be resolved at first: %s",
    async (code) => {
      const r1 = randomUUID();
      const { sim, dataDir, server } = await world();
      const upstream = sim.url.replace("127.0.0.1", "localhost");
      const host = await server({ upstream, env: { NODE_OPTIONS: forgetfulResolver(2, code) } });

      const answer = await tell(host, "chat", { ...question, request_id: r1 });

      await expectTriedAgain(answer, r1, { sim, dataDir });
      expect(answer).toMatchObject({ attempts: 3 });
    },
  );

  test.skipIf(!hasOpenssl)(`when TLS failed at first${withOpenssl}`, async () => {
    const r1 = randomUUID();
    const { sim, dataDir, server } = await world();
    const certificate = selfSigned();
    const open = tlsGreeter(certificate, Number(new URL(sim.url).port));
    let left = 2;
    const port = await door((socket) => {
      left -= 1;
      if (left < 0) open(socket);
      else socket.resume().end("no TLS here\r\n");
    });
    const env = { NODE_EXTRA_CA_CERTS: certificate.file };
    const host = await server({ upstream: `https://127.0.0.1:${port}/v1`, env });

    const answer = await tell(host, "chat", { ...question, request_id: r1 });

    await expectTriedAgain(answer, r1, { sim, dataDir });
    expect(answer).toMatchObject({ attempts: 3 });
  });

  test("when upstream itself said when to come back", async () => {
    const r1 = randomUUID();
    const { sim, dataDir, server } = await world();
    sim.script({ times: 2, scenario: "rate_limited_ms" });

    const answer = await tell(await server(), "chat", { ...question, request_id: r1 });

    expect(answer).toMatchObject({ isError: false, status: "completed", attempts: 3 });
    expect(sim.ledger).toMatchObject({ attempts: 3, posts: 1 });
    expect(requestRow(dataDir, r1)?.state).toBe("completed");
  });
});

describe("C06: a call that never leaves is tried again, and ends as not sent", () => {
  const onLoopback = (port: number) => `https://127.0.0.1:${port}/v1`;
  type Door = [string, () => Promise<string> | string, cause: string | RegExp];
  const doors: Door[] = [
    ["a name that does not exist", () => "https://name.invalid/v1", /^(ENOTFOUND|EAI_AGAIN)$/],
    ["a port where nobody listens", async () => onLoopback(await closedPort()), "ECONNREFUSED"],
    ["a server that speaks no TLS", async () => onLoopback(await garbagePort()), /SSL/],
    ["a server without a certificate", async () => onLoopback(await door(tlsGreeter({}))), /SSL/],
    [
      "a server that resets at once",
      async () => onLoopback(await door((it) => it.resetAndDestroy())),
      "ECONNRESET",
    ],
    [
      "a server that resets the handshake",
      async () => onLoopback(await door(resetWhenSpokenTo)),
      "ECONNRESET",
    ],
    [
      "a server that leaves the handshake hanging",
      async () => onLoopback(await door((it) => it.resume())),
      "first_byte_timeout",
    ],
  ];

  test(
    "whatever keeps it",
    () => everyKind(doors, (_, upstream, cause) => expectNotSent(upstream, cause)),
    30_000,
  );

  test.skipIf(!hasOpenssl)(`when nobody vouches for the certificate${withOpenssl}`, () =>
    expectNotSent(
      async () => onLoopback(await door(tlsGreeter(selfSigned()))),
      "DEPTH_ZERO_SELF_SIGNED_CERT",
    ),
  );
});

describe("C07: what upstream answered in place of an answer is never asked for again", () => {
  const unknown = (lost_to: string) => ({ status: "unknown_outcome", lost_to });
  const rejected = (code: string, http_status: number) => ({
    status: "failed",
    failure: { code, http_status, upstream_request_id: expect.any(String) },
  });
  const html = (status: number): Scenario => ({ reply: { status, html: true } });
  const replies: Kind[] = [
    ["500 in the API's envelope", "error_500", unknown("gateway_error")],
    ["502 in the API's envelope", { reply: 502 }, unknown("gateway_error")],
    ["503 in the API's envelope", "error_503", rejected("upstream_unavailable", 503)],
    ["504 in the API's envelope", { reply: 504 }, unknown("gateway_error")],
    ["500 from a gateway", html(500), unknown("gateway_error")],
    ["502 from a gateway", "html_502", unknown("gateway_error")],
    ["503 from a gateway", "html_503", unknown("gateway_error")],
    ["504 from a gateway", "html_504", unknown("gateway_error")],
    ["524 from a gateway", html(524), unknown("gateway_error")],
    ["409 in the API's envelope", "conflict_409", rejected("request_rejected", 409)],
    ["409 from a gateway", html(409), unknown("conflict")],
    ["408 in the API's envelope", "timeout_408", unknown("gateway_error")],
    ["408 from a gateway", html(408), unknown("gateway_error")],
    ["a web page", "html_200", unknown("not_a_stream")],
    ["an empty stream", "empty_200", unknown("not_a_stream")],
    ["half a JSON document", "malformed_json_200", unknown("not_a_stream")],
    ["a stream that ends before its first event", "eof_without_events", unknown("not_a_stream")],
  ];

  const silences: Kind[] = [
    [
      "headers later than the first-byte limit",
      { pace: { headersMs: 8_000 } },
      unknown("first_byte_timeout"),
    ],
    ["no headers at all", "no_headers", unknown("first_byte_timeout")],
    ["headers, and then no event", { pace: { firstEventMs: 8_000 } }, unknown("idle")],
  ];
  const impatient = { CLAIMCHECK_FIRST_BYTE_MS: "3000", CLAIMCHECK_IDLE_MS: "1000" };

  test(
    "by whoever repeats the call, in this process or another",
    () => expectOneAttemptEach(replies, {}),
    30_000,
  );

  test("nor when it took too long to answer", () => expectOneAttemptEach(silences, impatient), 30_000);
});

type Kind = [what: string, scenario: ScenarioName | Scenario, verdict: { status: string }];

async function expectOneAttemptEach(kinds: Kind[], limits: Record<string, string>) {
  const { sim, dataDir, server } = await world();
  const env = { CLAIMCHECK_MAX_LIVE: "64", ...limits };
  const [host, other] = await Promise.all([server({ env }), server({ env })]);

  await everyKind(kinds, async (what, scenario, verdict) => {
    const r1 = randomUUID();
    const args = { message: what, request_id: r1 };
    sim.script({ times: 1, match: { message: what }, scenario });

    const first = await tell(host, "chat", args);

    if (verdict.status === "unknown_outcome") expectUnknown(first, r1);
    expect(first).toMatchObject({ isError: true, ...verdict });
    for (const asked of [host, other]) {
      expect(await tell(asked, "chat", args)).toMatchObject({ isError: true, replayed: true, ...verdict });
    }
    expectOwnPost(sim, r1);
    expect(requestRow(dataDir, r1)).toMatchObject({
      state: verdict.status,
      owner: null,
      outcome: null,
      sessionPointer: null,
    });
  });
  expect(sim.ledger.attempts).toBe(kinds.length);
}

type Place = Pick<World, "sim" | "dataDir">;

async function expectTriedAgain(
  answer: Awaited<ReturnType<typeof tell>>,
  r1: string,
  { sim, dataDir }: Place,
) {
  expect(answer).toMatchObject({
    isError: false,
    status: "completed",
    text: `You said: ${question.message}`,
  });
  expect(answer["attempts"]).toBeGreaterThan(1);
  expectOnePost(sim, r1);
  const row = requestRow(dataDir, r1);
  expect(row).toMatchObject({ state: "completed", epoch: 1, sessionPointer: answer["response_id"] });
  const tries = Number(answer["attempts"]);
  const refusals = Array.from({ length: tries - 1 }, () => ["upstream.unstarted", "retry.due"]).flat();
  expect(row?.events).toEqual(["claimed", ...refusals, "upstream.accepted", "upstream.completed"]);
}

async function expectNotSent(where: () => Promise<string> | string, cause: string | RegExp) {
  const r1 = randomUUID();
  const args = { ...question, request_id: r1, timeout_ms: 6_000 };
  const { sim, dataDir, server } = await world();
  const env = cause === "first_byte_timeout" ? { CLAIMCHECK_FIRST_BYTE_MS: "500" } : {};
  const host = await server({ upstream: await where(), env });

  const answer = await tell(host, "chat", args);

  expect(answer).toMatchObject({
    isError: true,
    status: "failed",
    request_id: r1,
    failure: {
      code: expect.stringMatching(/^(connection_failed|not_sent)$/),
      cause: expect.stringMatching(cause),
    },
  });
  expect(answer["next"]).toMatch(/nothing was billed/);
  expect(answer["attempts"]).toBeGreaterThan(1);
  const row = requestRow(dataDir, r1);
  expect(row).toMatchObject({ state: "failed", owner: null, responseId: null, outcome: null });
  expect(row?.events.filter((event) => event === "upstream.unstarted").length).toBe(answer["attempts"]);
  expect(await tell(host, "chat", args)).toMatchObject({ isError: true, status: "failed", replayed: true });
  expect(requestRow(dataDir, r1)?.version).toBe(row?.version);
  expect(sim.ledger.attempts).toBe(0);
}

const resetWhenSpokenTo = (socket: Socket) => void socket.once("data", () => socket.resetAndDestroy());

async function closedPort(): Promise<number> {
  const garbage = await startGarbageServer();
  await garbage.close();
  return garbage.port;
}

async function garbagePort(): Promise<number> {
  const garbage = await startGarbageServer();
  onTestFinished(() => garbage.close());
  return garbage.port;
}

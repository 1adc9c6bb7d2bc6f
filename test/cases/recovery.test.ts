/** What a killed process leaves behind: an answer that can be collected, or a doubt that is told. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Scenario, ScenarioName } from "../../src/simulator/simulator.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import type { StdioServer } from "../support/stdio.ts";
import { type Told, tell } from "../support/told.ts";
import { expectOnePost, expectUnknown } from "../support/verdicts.ts";
import { until, type World, world } from "../support/world.ts";

const message = "Where is my coat?";
const answerText = `You said: ${message}`;

type Way = (host: StdioServer, r1: string) => Promise<Told>;
const ways = {
  "asking again": (host, r1) => tell(host, "chat", { message, request_id: r1 }),
  waiting: (host, r1) => tell(host, "answers", { action: "wait", request_id: r1 }),
  reading: (host, r1) => tell(host, "answers", { action: "read", request_id: r1 }),
  recovering: (host, r1) => tell(host, "request_status", { action: "recover", request_id: r1 }),
  "looking into the inbox, then reading": async (host, r1) => {
    await until("it is there unasked", async () => idsIn(await inbox(host), "unread").includes(r1));
    return tell(host, "answers", { action: "read", request_id: r1 });
  },
} satisfies Record<string, Way>;

describe("C10: an answer that was finished after its process was killed is collected, not asked for again", () => {
  const moments = ["hold_after_created", "hold_mid_text", "hold_before_terminal"] as const;
  const kinds = [
    ...moments.map((killedAt) => ({ killedAt, way: "asking again" as const })),
    ...(Object.keys(ways) as (keyof typeof ways)[]).map((way) => ({ killedAt: "hold_queued" as const, way })),
  ];

  test.each(kinds)("$way, killed at $killedAt", async ({ killedAt, way }) => {
    const r1 = randomUUID();
    const all = await world();
    const { sim, server } = all;
    await killedInCall(all, r1, killedAt);
    sim.release();
    await until("upstream has finished", () => sim.ledger.responses[0]?.status === "completed");

    const answer = await ways[way](await server(), r1);

    expectCollected(all, answer, r1);
  });

  test("when it was still being made as the next process came", async () => {
    const r1 = randomUUID();
    const all = await world();
    const { sim, server } = all;
    await killedInCall(all, r1, "hold_mid_text");
    const next = await server();

    const waiting = tell(next, "answers", { action: "wait", request_id: r1 });
    await until("it is being collected", () => sim.ledger.gets > 0);
    sim.release();

    expectCollected(all, await waiting, r1);
  });

  test("by a process that had been there all along, once the owner is gone", async () => {
    const r1 = randomUUID();
    const all = await world();
    const { sim, server } = all;
    const other = await server();
    await tell(other, "answers", { action: "inbox" });
    await killedInCall(all, r1, "hold_mid_text");
    sim.release();

    expectCollected(all, await tell(other, "answers", { action: "wait", request_id: r1 }), r1);
  });
});

describe("C11: a call whose process was killed before upstream's first byte stays unknown", () => {
  const moments: [string, Scenario][] = [
    ["nothing was answered", { hold: ["body_read"] }],
    ["headers came, but no event", { pace: { firstEventMs: 60_000 } }],
  ];
  const kinds = moments.flatMap(([when, scenario]) =>
    [true, false].map((background) => ({ when, scenario, background })),
  );

  test.each(kinds)("$when, background $background", async ({ scenario, background }) => {
    const r1 = randomUUID();
    const args = { message, request_id: r1, background };
    const { sim, dataDir, server } = await world();
    sim.script({ times: 1, scenario });
    const host = await server();
    host.begin("tools/call", { name: "chat", arguments: args });
    await until("the body was read", () => sim.ledger.posts === 1);
    await host.kill();
    expect(requestRow(dataDir, r1)).toMatchObject({
      state: "claimed",
      responseId: null,
      events: ["claimed"],
    });

    const restarted = await server();
    const found = await tell(restarted, "answers", { action: "wait", request_id: r1 });

    expectUnknown(found, r1);
    expect(idsIn(await inbox(restarted), "attention")).toEqual([r1]);
    expectUnknown(await tell(restarted, "chat", args), r1);
    const next = await tell(restarted, "chat", { message: "And now?", session_id: found["session_id"] });
    expect(next).toMatchObject({ isError: true, code: "session_unresolved", details: { request_id: r1 } });
    expect(requestRow(dataDir, r1)).toMatchObject({
      state: "unknown_outcome",
      owner: null,
      events: ["claimed", "lease.expired"],
    });
    expectOnePost(sim, r1);
    expect(sim.ledger.gets).toBe(0);
  });

  test("but one that had provably not left, and was waiting to try again, was not sent", async () => {
    const r1 = randomUUID();
    const { sim, dataDir, server } = await world();
    sim.script({ scenario: { reply: { status: 429, retryAfterS: 60 } } });
    const host = await server();
    host.begin("tools/call", { name: "chat", arguments: { message, request_id: r1 } });
    await untilRow(dataDir, r1, "is put off", ({ events }) => events.includes("upstream.unstarted"));
    await host.kill();
    sim.script({ scenario: "normal" });

    const answer = await tell(await server(), "chat", { message, request_id: r1 });

    expect(answer).toMatchObject({ isError: true, status: "failed", failure: { code: "not_sent" } });
    expect(sim.ledger).toMatchObject({ attempts: 1, posts: 0 });
    expect(requestRow(dataDir, r1)).toMatchObject({ state: "failed", owner: null });
  });
});

describe("C12: a response id is on disk as soon as anybody can see that there is one", () => {
  test.each([true, false])(
    "killed after the first event and nothing else, background %s",
    async (background) => {
      const r1 = randomUUID();
      const args = { message, request_id: r1, background };
      const all = await world();
      const { sim, dataDir, server } = all;
      sim.script({ scenario: "stall_after_created" });
      const host = await server();
      host.begin("tools/call", { name: "chat", arguments: args });
      await until("it is seen to stream", async () => (await stateOf(host, r1)) === "streaming");
      await host.kill();

      expect(requestRow(dataDir, r1)).toMatchObject({
        state: "streaming",
        responseId: sim.ledger.responses[0]?.id,
        events: ["claimed", "upstream.accepted"],
      });
      const answer = await tell(await server(), "chat", args);
      expectCollected(all, answer, r1);
    },
  );
});

/** A server that is killed while its call is at this point upstream, and has written down the response id. */
async function killedInCall({ sim, dataDir, server }: World, r1: string, at: ScenarioName) {
  sim.script({ times: 1, scenario: at });
  const host = await server();
  host.begin("tools/call", { name: "chat", arguments: { message, request_id: r1 } });
  await until("upstream is there", () => sim.ledger.holding === 1);
  await untilRow(dataDir, r1, "has its response id", ({ responseId }) => responseId !== null);
  await host.kill();
}

/** The whole answer, by GET alone, after the owner was found to be gone. */
function expectCollected({ sim, dataDir }: World, answer: Told, r1: string) {
  const responseId = sim.ledger.responses[0]?.id;
  expect(answer).toMatchObject({
    isError: false,
    status: "completed",
    text: answerText,
    response_id: responseId,
  });
  expectOnePost(sim, r1);
  const [paid, ...later] = sim.ledger.requests;
  expect(paid?.method).toBe("POST");
  expect(new Set(later.map(({ method }) => method))).toEqual(new Set(["GET"]));
  // Nothing partial is stored, so a stream is read again from its beginning.
  expect(later.filter(({ query }) => "starting_after" in query)).toEqual([]);
  const row = requestRow(dataDir, r1);
  expect(row).toMatchObject({
    state: "completed",
    responseId,
    sessionPointer: responseId,
    owner: null,
    delivered: 1,
  });
  expect(row?.epoch).toBeGreaterThan(1);
  expect(row?.events.slice(0, 3)).toEqual(["claimed", "upstream.accepted", "lease.expired"]);
  expect(row?.events.at(-1)).toBe("upstream.completed");
}

const inbox = (host: StdioServer) => tell(host, "answers", { action: "inbox" });

function idsIn(view: Told, list: "unread" | "running" | "attention"): unknown[] {
  const lines = view[list];
  return Array.isArray(lines) ? lines.map((line) => Reflect.get(Object(line), "request_id")) : [];
}

async function stateOf(host: StdioServer, r1: string): Promise<unknown> {
  return (await tell(host, "request_status", { request_id: r1 }))["status"];
}

/** One request, one paid call: whoever asks again, however often, from wherever. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Scenario } from "../../src/simulator/simulator.ts";
import { requestCount, requestRow } from "../support/request-row.ts";
import { tell } from "../support/told.ts";
import { expectOnePost, expectUnknown } from "../support/verdicts.ts";
import { until, world } from "../support/world.ts";

const question = { message: "What is a cloakroom ticket?" };

describe("C02: the same request asked twice on one connection is paid for once", () => {
  const seconds: [string, (r1: string) => Record<string, unknown>][] = [
    ["with equal arguments", (r1) => ({ ...question, request_id: r1 })],
    ["with its id in capitals", (r1) => ({ ...question, request_id: r1.toUpperCase() })],
    ["with its arguments in another order", (r1) => ({ request_id: r1, ...question })],
    ["with another wait", (r1) => ({ ...question, request_id: r1, wait_ms: 20_000 })],
  ];

  test.each(seconds)("%s, back to back", async (_, second) => {
    const r1 = randomUUID();
    const { sim, dataDir, server } = await world();
    const host = await server();

    const [one, two] = await Promise.all(
      [{ ...question, request_id: r1 }, second(r1)].map((args) => tell(host, "chat", args)),
    );

    expect(one).toMatchObject({
      isError: false,
      status: "completed",
      request_id: r1,
      text: `You said: ${question.message}`,
    });
    expect(two).toMatchObject({
      isError: false,
      request_id: r1,
      text: one?.["text"],
      response_id: one?.["response_id"],
    });
    expectOnePost(sim, r1);
    expect(requestCount(dataDir)).toBe(1);
    expect(requestRow(dataDir, r1)).toMatchObject({
      state: "completed",
      responseId: one?.["response_id"],
      sessionPointer: one?.["response_id"],
      delivered: 1,
      events: ["claimed", "upstream.accepted", "upstream.completed"],
    });
  });

  test.each(seconds)("%s, after the answer", async (_, second) => {
    const r1 = randomUUID();
    const { sim, dataDir, server } = await world();
    const host = await server();
    const one = await tell(host, "chat", { ...question, request_id: r1 });
    const before = requestRow(dataDir, r1);

    const two = await tell(host, "chat", second(r1));

    expect(two).toMatchObject({ replayed: true, text: one["text"], response_id: one["response_id"] });
    expectOnePost(sim, r1);
    expect(requestRow(dataDir, r1)).toEqual(before);
  });

  test("and so is an equal call without an id, while the first is under way", async () => {
    const { sim, dataDir, server } = await world();
    sim.script({ scenario: "no_headers" });
    const host = await server();

    const receipts = await Promise.all([1, 2].map(() => tell(host, "chat", { ...question, wait_ms: 0 })));

    expect(receipts[0]?.["request_id"]).toBe(receipts[1]?.["request_id"]);
    expect(receipts.filter(({ joined }) => joined === true)).toHaveLength(1);
    await until("the call was made", () => sim.ledger.holding === 1);
    expect(sim.ledger.attempts).toBe(1);
    expect(requestCount(dataDir)).toBe(1);
  });
});

describe("C03: two processes on one database asked the same at the same moment pay once", () => {
  test("a hundred times over; the loser gets the winner's answer and hears of no lock", async () => {
    const { sim, dataDir, server } = await world();
    const [left, right] = await Promise.all([server(), server()]);
    await Promise.all([left, right].map((host) => tell(host, "answers", { action: "inbox" })));
    const wins = { left: 0, right: 0 };

    for (let round = 0; round < 100; round += 1) {
      const r1 = randomUUID();
      const args = { message: `Question ${round}`, request_id: r1 };
      // Who writes first would win every time.
      const order = round % 2 === 0 ? [left, right] : [right, left];
      const [first, second] = await Promise.all(order.map((host) => tell(host, "chat", args)));

      const answers = [first, second];
      expect(answers.map((answer) => answer?.["status"])).toEqual(["completed", "completed"]);
      expect(new Set(answers.map((answer) => answer?.["response_id"])).size).toBe(1);
      expect(new Set(answers.map((answer) => answer?.["text"]))).toEqual(
        new Set([`You said: Question ${round}`]),
      );
      expect(answers.filter((answer) => answer?.["replayed"] === true)).toHaveLength(1);
      expect(sim.ledger.postsFor(r1)).toBe(1);
      const winner = order[answers.findIndex((answer) => answer?.["replayed"] !== true)];
      wins[winner === left ? "left" : "right"] += 1;
    }

    expect(sim.ledger.posts).toBe(100);
    expect(sim.ledger.attempts).toBe(100);
    expect(requestCount(dataDir)).toBe(100);
    expect(Math.min(wins.left, wins.right)).toBeGreaterThan(0);
    expect([left, right].map((host) => host.stderr())).toEqual(["", ""]);
  }, 60_000);

  test("even when it is the first call of both and the database is not there yet", async () => {
    const { sim, server } = await world();
    const r1 = randomUUID();
    const hosts = await Promise.all([server(), server(), server()]);

    const answers = await Promise.all(
      hosts.map((host) => tell(host, "chat", { ...question, request_id: r1 })),
    );

    expect(answers.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
    expect(new Set(answers.map((answer) => answer["response_id"])).size).toBe(1);
    expectOnePost(sim, r1);
  }, 30_000);
});

describe("C05: a call that upstream took and never answered is paid for at most once", () => {
  const ways: [string, Scenario][] = [
    ["reset", { reply: "reset" }],
    ["hung up on", { reply: "hangup" }],
  ];
  const manners = [true, false];
  const kinds = ways.flatMap(([how, scenario]) =>
    manners.map((background) => ({ how, scenario, background })),
  );

  test.each(kinds)(
    "$how, background $background: it stays unknown for whoever asks again",
    async ({ scenario, background }) => {
      const r1 = randomUUID();
      const args = { ...question, request_id: r1, background };
      const { sim, dataDir, server } = await world();
      sim.script({ scenario });
      const host = await server();

      const first = await tell(host, "chat", args);

      expectUnknown(first, r1);
      expect(requestRow(dataDir, r1)).toMatchObject({
        state: "unknown_outcome",
        responseId: null,
        owner: null,
        sessionPointer: null,
        events: ["claimed", "upstream.lost"],
      });
      expect(await tell(host, "chat", args)).toMatchObject({
        isError: true,
        status: "unknown_outcome",
        replayed: true,
      });
      await host.close();
      const restarted = await server();
      expectUnknown(await tell(restarted, "chat", args), r1);
      expectUnknown(await tell(restarted, "answers", { action: "wait", request_id: r1 }), r1);
      expectOnePost(sim, r1);
    },
  );

  test("and both choices it names are there", async () => {
    const { sim, dataDir, server } = await world();
    sim.script({ scenario: "reset_before_headers" });
    const host = await server();
    const [given, found] = [randomUUID(), randomUUID()];
    await tell(host, "chat", { ...question, request_id: given });
    await tell(host, "chat", { ...question, request_id: found });

    const abandoned = await tell(host, "request_status", { request_id: given, action: "abandon" });
    const attached = await tell(host, "request_status", {
      request_id: found,
      action: "attach",
      response_id: sim.ledger.responses.find(({ requestId }) => requestId === found)?.id,
    });

    expect(abandoned).toMatchObject({ isError: false, status: "abandoned" });
    expect(abandoned["next"]).toMatch(/billed/);
    expect(attached).toMatchObject({
      isError: false,
      status: "completed",
      text: `You said: ${question.message}`,
    });
    expect(requestRow(dataDir, given)).toMatchObject({ state: "abandoned", finished: 1 });
    expect(requestRow(dataDir, found)).toMatchObject({ state: "completed", delivered: 1 });
    expect(sim.ledger.attempts).toBe(2);
  });
});

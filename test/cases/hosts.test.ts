/** What hosts do to a tool call: give up early, ask for progress, call more, cancel. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { toolsetsToLookAt } from "../../src/mcp/tools.ts";
import { catalogue, type Scenario } from "../../src/simulator/simulator.ts";
import { eras, openIn } from "../support/eras.ts";
import { requestRow } from "../support/request-row.ts";
import { said, stepIn } from "../support/said.ts";
import { standing } from "../support/standing.ts";
import { until, world } from "../support/world.ts";

const toolCount = Object.values(toolsetsToLookAt()).flat().length;

/** Until the caller of a held request may be let go: all of them end by `release()`. */
const slow: [string, Scenario, string][] = [
  ["before its headers", catalogue.no_headers, "claimed"],
  ["while it is queued", catalogue.hold_queued, "streaming"],
  ["before its first word", catalogue.hold_after_created, "streaming"],
  ["in the middle of its text", catalogue.hold_mid_text, "streaming"],
  ["before its last event", catalogue.hold_before_terminal, "streaming"],
  [
    "after its stream broke",
    { ...catalogue.reset_mid_text, hold: ["before_terminal"], resume: Array(9).fill(503) },
    "recovery_required",
  ],
];

describe("C29: an answer that takes longer than its caller waits", () => {
  test.each(slow)("is collected later, when it is slow %s", async (_, scenario, state) => {
    const here = await world();
    const server = await here.server();
    const id = randomUUID();
    here.sim.script({ scenario });

    const started = performance.now();
    const result = await server.call("chat", { message: "Think.", request_id: id, wait_ms: 2_000 });
    const took = performance.now() - started;

    // The wait itself is 2,000 ms; what is over it is this machine's.
    expect(took).toBeLessThan(2_000);
    const receipt = said(result);
    expect(result.isError).toBe(false);
    expect(receipt).toMatchObject({ status: state, request_id: id, session_id: expect.any(String) });
    expect(receipt).not.toHaveProperty("text");
    const next = stepIn(receipt["next"]);
    expect(next).toEqual({ tool: "answers", args: { action: "wait", request_id: id } });
    expect(requestRow(here.dataDir, id)).toMatchObject({ state, delivered: 0, outcome: null });

    here.sim.release();
    const answer = await server.call(next.tool, next.args);
    expect(answer.isError).toBe(false);
    expect(said(answer)).toMatchObject({
      status: "completed",
      request_id: id,
      text: expect.stringMatching(/Think\./),
    });
    expect(requestRow(here.dataDir, id)).toMatchObject({ state: "completed", delivered: 1, finished: 1 });
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("is collected after six real seconds, whoever waits", async () => {
    const here = await world();
    const server = await here.server({ env: { CLAIMCHECK_WAIT_MS: "2000" } });
    here.sim.script({ scenario: { pace: { headersMs: 2_500, firstEventMs: 1_500, deltaMs: 700 } } });

    const receipt = said(await server.call("chat", { message: "Take six seconds." }));
    const { tool, args } = stepIn(receipt["next"]);
    const another = await here.server();
    const results = await Promise.all([
      server.call(tool, { ...args, wait_ms: 20_000 }),
      another.call(tool, { ...args, wait_ms: 20_000 }),
    ]);

    for (const result of results) {
      expect(result.isError).toBe(false);
      expect(said(result)).toMatchObject({ status: "completed", text: "You said: Take six seconds." });
    }
    expect(here.sim.ledger.posts).toBe(1);
  });

  test("gives a receipt at once to one who does not wait at all", async () => {
    const here = await world();
    const server = await here.server();
    here.sim.script({ scenario: "no_headers" });

    const started = performance.now();
    const result = await server.call("chat", { message: "Think.", wait_ms: 0 });

    expect(performance.now() - started).toBeLessThan(2_000);
    expect(result.isError).toBe(false);
    expect(said(result)).toMatchObject({ status: "claimed", request_id: expect.any(String) });
    here.sim.release();
  });
});

describe.each(eras)("in the era of %s", (era) => {
  test("C30: who asks for progress hears of the state, ever further on, and nothing after the answer; who does not hears nothing", async () => {
    const here = await world();
    const { server, begin, call } = await openIn(era, here);
    here.sim.script({ scenario: "hold_mid_text" });
    const tokens = ["a token", 0] as const;
    const heard = (token: unknown) =>
      server.notifications
        .filter(({ params }) => params["progressToken"] === token)
        .map(({ params }) => params);

    const asking = tokens.map((token) =>
      begin("chat", { message: `With ${token}.` }, { progressToken: token }),
    );
    const silent = begin("chat", { message: "Without." });
    await until("three are under way", () => here.sim.ledger.holding === 3);
    // The second word comes after 5 s.
    await until("progress went on", () => tokens.every((token) => heard(token).length >= 2), 12_000);
    here.sim.release();
    for (const { reply } of [...asking, silent]) expect(await reply).toMatchObject({ isError: false });

    const atTheEnd = server.notifications.length;
    for (const token of tokens) {
      const steps = heard(token).map(({ progress }) => Number(progress));
      expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
      for (const { message } of heard(token))
        expect(message).toMatch(/^(claimed|streaming|recovery_required) · /);
    }
    expect(
      server.notifications.every(({ params }) => tokens.some((token) => params["progressToken"] === token)),
    ).toBe(true);
    // Answers are the last that was heard of their calls.
    for (const { id } of asking) {
      const lines = server.lines.map((line) => JSON.parse(line));
      const answeredAt = lines.findIndex((line) => line["id"] === id);
      const token = tokens[asking.findIndex((one) => one.id === id)];
      const lastHeard = lines.findLastIndex((line) => line["params"]?.["progressToken"] === token);
      expect(lastHeard).toBeLessThan(answeredAt);
    }
    await call("answers", { action: "inbox" });
    expect(server.notifications).toHaveLength(atTheEnd);
  }, 25_000);

  test.each(standing)(
    "C31: while %s stands still, tools are listed and a second paid call is answered",
    async (_, callFor) => {
      const here = await world();
      const { begin, call, request } = await openIn(era, here);
      const id = randomUUID();
      here.sim.script({ match: { message: "Held." }, scenario: "hold_mid_text" });
      await call("chat", { message: "Held.", request_id: id, wait_ms: 0 });
      await until("it is held", () => here.sim.ledger.holding === 1);
      let done = false;
      const held = begin(...callFor(id));
      held.reply.then(() => {
        done = true;
      });

      expect((await request("tools/list"))["tools"]).toHaveLength(toolCount);
      const second = await call("chat", { message: "Quick." });

      expect(said(second)).toMatchObject({ status: "completed", text: "You said: Quick." });
      expect(done).toBe(false);
      here.sim.release();
      expect(said(await held.reply)).toMatchObject({ status: "completed", request_id: id });
      expect(here.sim.ledger.posts).toBe(2);
    },
  );

  test.each(standing)(
    "C31: after %s is cancelled the next call is answered, and the request goes on unread",
    async (_, callFor) => {
      const here = await world();
      const { server, begin, call } = await openIn(era, here);
      const id = randomUUID();
      here.sim.script({ match: { message: "Held." }, scenario: "hold_mid_text" });
      await call("chat", { message: "Held.", request_id: id, wait_ms: 0 });
      await until("it is held", () => here.sim.ledger.holding === 1);
      const held = begin(...callFor(id));
      await call("answers", { action: "inbox" });

      server.notify("notifications/cancelled", { requestId: held.id, reason: "timed out" });
      expect(said(await call("chat", { message: "Next." }))).toMatchObject({ status: "completed" });

      here.sim.release();
      await until("the answer is there", () => requestRow(here.dataDir, id)?.state === "completed");
      expect(requestRow(here.dataDir, id)).toMatchObject({ delivered: 0 });
      expect(said(await call("answers", { action: "inbox" }))).toMatchObject({
        unread: [{ request_id: id }],
      });
      expect(said(await call("answers", { action: "wait", request_id: id }))).toMatchObject({
        text: "You said: Held.",
      });
      expect(requestRow(here.dataDir, id)).toMatchObject({ delivered: 1 });
      expect(server.lines.some((line) => JSON.parse(line)["id"] === held.id)).toBe(false);
      expect(here.sim.ledger.posts).toBe(2);
      expect(here.sim.ledger.cancels).toBe(0);
    },
  );

  test("C31: while a call waits for its turn at the live limit, others are answered, and what it waits for goes on", async () => {
    const here = await world();
    const { call, request, begin } = await openIn(era, here, { env: { CLAIMCHECK_MAX_LIVE: "1" } });
    here.sim.script({ match: { message: "Held." }, scenario: "hold_mid_text" });
    const held = begin("chat", { message: "Held." });
    await until("it is held", () => here.sim.ledger.holding === 1);
    const next = begin("chat", { message: "Next.", wait_ms: 10_000 });
    // By the time this is answered, the other has found no room.
    await call("answers", { action: "inbox" });

    const started = performance.now();
    expect((await request("tools/list"))["tools"]).toHaveLength(toolCount);
    expect(said(await call("answers", { action: "inbox" }))).toMatchObject({ running: [{}] });
    expect(performance.now() - started).toBeLessThan(2_000);

    here.sim.release();
    expect(said(await held.reply)).toMatchObject({ status: "completed" });
    expect(said(await next.reply)).toMatchObject({ status: "completed", text: "You said: Next." });
    expect(here.sim.ledger.posts).toBe(2);
  }, 25_000);
});

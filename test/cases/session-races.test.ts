/** Whoever continues a session does so alone: no turn has two children, and no turn is lost. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/simulator/simulator.ts";
import { census, pointerOf } from "../support/database.ts";
import { requestRow } from "../support/request-row.ts";
import { refusal, said, stepIn } from "../support/said.ts";
import type { StdioServer } from "../support/stdio.ts";
import { ask, begun, sentTo } from "../support/turns.ts";
import { until, type World, world } from "../support/world.ts";

describe("C25: of two that continue a session at the same moment one runs, and the other is told of it", () => {
  /** All call at once; whoever got through is held until all the others have been answered. */
  async function raced(here: World, contenders: StdioServer[]) {
    const { sessionId, responseId } = await begun(contenders[0] ?? expect.fail("nobody contends"));
    here.sim.script({ match: { message: "child" }, scenario: "hold_mid_text" });
    let answered = 0;
    const outcomes = contenders.map(async (server, index) => {
      const args = { message: `child ${index}`, session_id: sessionId, request_id: randomUUID() };
      const result = await server.call("chat", args);
      answered += 1;
      return { server, args, result };
    });
    await until("all but one were answered", () => answered === contenders.length - 1);
    await until("that one is at it", () => here.sim.ledger.holding === 1);
    here.sim.release();
    return { sessionId, responseId, outcomes: await Promise.all(outcomes) };
  }

  test.each([
    ["two processes", 2, false],
    ["four processes", 4, false],
    ["two calls of one process", 2, true],
  ])("%s", async (_, count, together) => {
    const here = await world();
    const servers = await Promise.all(Array.from({ length: together ? 1 : count }, () => here.server()));
    const contenders = Array.from({ length: count }, (_, index) => servers[index % servers.length]).flatMap(
      (server) => server ?? [],
    );
    const { sessionId, responseId, outcomes } = await raced(here, contenders);

    const [ran, ...more] = outcomes.filter(({ result }) => !result.isError);
    expect(more).toEqual([]);
    const winner = said(ran?.result ?? expect.fail("nobody ran"));
    expect(winner).toMatchObject({ status: "completed", turn: 2 });
    const turnedAway = outcomes.filter(({ result }) => result.isError);
    for (const { result, args } of turnedAway) {
      const told = refusal(result, "session_busy");
      expect(told).toMatchObject({
        request_id: args.request_id,
        details: { request_id: winner["request_id"] },
      });
      expect(stepIn(told["next"])).toEqual({
        tool: "answers",
        args: { action: "wait", request_id: winner["request_id"] },
      });
      expect(requestRow(here.dataDir, args.request_id)).toBeNull();
    }
    expect(here.sim.ledger.posts).toBe(2);

    // The turn that was turned away is not lost: the same call follows on the one that ran.
    const loser = turnedAway[0] ?? expect.fail("nobody was turned away");
    here.sim.script({ scenario: {} });
    const later = said(await loser.server.call("chat", loser.args));
    expect(later).toMatchObject({ status: "completed", turn: 3, request_id: loser.args.request_id });
    const parents = sentTo(here).map((body) => body.previous_response_id ?? null);
    expect(parents).toEqual([null, responseId, winner["response_id"]]);
    expect(pointerOf(here.dataDir, sessionId)).toBe(later["response_id"]);
  });

  test("thirty times over, no predecessor ever has two children", async () => {
    const here = await world();
    const servers = await Promise.all([here.server(), here.server()]);
    const { sessionId } = await begun(servers[0]);
    for (let round = 0; round < 30; round += 1) {
      const results = await Promise.all(
        servers.map((server, index) =>
          server.call("chat", { message: `${round} ${index}`, session_id: sessionId }),
        ),
      );
      const ran = results.filter(({ isError }) => !isError);
      expect(ran.length).toBeGreaterThanOrEqual(1);
      for (const result of results.filter(({ isError }) => isError)) refusal(result, "session_busy");
    }
    const parents = sentTo(here).map((body) => body.previous_response_id ?? null);
    expect(new Set(parents).size).toBe(parents.length);
    expect(here.sim.ledger.posts).toBe(census(here.dataDir)["requests"]);
  });

  test.each([
    ["reset_before_headers" as const, "unknown_outcome", "attach"],
    ["stall_after_created" as const, "recovery_required", "wait"],
  ])("a request left %s (%s) is named with the two ways out", async (scenario, state, way) => {
    const here = await world();
    const server = await here.server();
    const { sessionId } = await begun(server);
    here.sim.script({
      times: 1,
      scenario: { ...catalogue[scenario], retrieve: Array(500).fill(503), hold: ["created"] },
    });
    const stuck = await ask(server, "child", { session_id: sessionId, wait_ms: 0, timeout_ms: 1_000 });
    const stuckId = String(stuck["request_id"]);
    await until("it is stuck", () => requestRow(here.dataDir, stuckId)?.state === state);
    const { journal: _, ...before } = census(here.dataDir);

    const other = await here.server();
    const told = refusal(
      await other.call("chat", { message: "another child", session_id: sessionId }),
      "session_unresolved",
    );

    expect(told).toMatchObject({ details: { request_id: stuckId, state } });
    for (const channel of [told["message"], told["next"]]) expect(channel).toContain(stuckId);
    expect(told["message"]).toMatch(new RegExp(`"action":"${way}"`));
    expect(told["message"]).toMatch(/"action":"abandon"/);
    // What is noted of retrievals that fail meanwhile is nobody's half-written call.
    expect(census(here.dataDir)).toMatchObject(before);
    expect(here.sim.ledger.posts).toBe(2);
  });
});

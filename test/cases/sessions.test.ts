/** A conversation is a chain: every turn knows the ones before it, and no turn has two children. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { catalogue, type Scenario, type ScenarioName } from "../../src/simulator/simulator.ts";
import { alter, census, pointerOf } from "../support/database.ts";
import { requestRow } from "../support/request-row.ts";
import { refusal, said, stepIn } from "../support/said.ts";
import type { StdioServer } from "../support/stdio.ts";
import { until, type World, world } from "../support/world.ts";

interface Sent {
  previous_response_id?: string | null;
  instructions?: string | null;
  store?: boolean;
  background?: boolean;
}

/** The bodies of the paid calls, in the order in which they came. */
const sentTo = ({ sim }: World) =>
  sim.ledger.requests.filter(({ method }) => method === "POST").map(({ body }) => body as Sent);

async function ask(server: StdioServer, message: string, over: Record<string, unknown> = {}) {
  return said(await server.call("chat", { message, ...over }));
}

/** A session with one completed turn. */
async function begun(server: StdioServer, over: Record<string, unknown> = {}) {
  const first = await ask(server, "The code word is marzipan.", over);
  expect(first["status"]).toBe("completed");
  return { sessionId: String(first["session_id"]), responseId: String(first["response_id"]) };
}

describe("C21: the third turn knows what the first one said", () => {
  const recall = "What was the code word?";

  test.each([
    ["background responses", {}, {}],
    ["foreground responses", { CLAIMCHECK_BACKGROUND: "off" }, {}],
    ["foreground responses, asked for by the call", {}, { background: false }],
    [
      "a session of many settings",
      {},
      { instructions: "Be brief.", verbosity: "low", reasoning_effort: "low" },
    ],
  ])("with %s", async (_, env, over) => {
    const here = await world();
    const server = await here.server({ env });

    const { sessionId } = await begun(server, over);
    const second = await ask(server, "Talk of the weather.", { session_id: sessionId });
    const third = await ask(server, recall, { session_id: sessionId });

    expect(third).toMatchObject({ status: "completed", text: "marzipan", session_id: sessionId, turn: 3 });
    expect(third["warnings"]).toEqual([]);
    expect(here.sim.ledger.posts).toBe(3);
    const chain = sentTo(here).map((body) => body.previous_response_id ?? null);
    expect(chain).toEqual([null, expect.any(String), second["response_id"]]);
    expect(sentTo(here).every(({ store }) => store === true)).toBe(true);
    expect(pointerOf(here.dataDir, sessionId)).toBe(third["response_id"]);
    expect(requestRow(here.dataDir, String(third["request_id"]))).toMatchObject({ state: "completed" });
  });

  test("with a new process for each turn, the last one killed", async () => {
    const here = await world();
    const first = await here.server();
    const { sessionId } = await begun(first);
    await first.kill();
    const second = await here.server();
    await ask(second, "Talk of the weather.", { session_id: sessionId });
    await second.kill();

    const third = await ask(await here.server(), recall, { session_id: sessionId });

    expect(third).toMatchObject({ status: "completed", text: "marzipan", turn: 3 });
    expect(here.sim.ledger.posts).toBe(3);
  });

  test("with the session called by its name", async () => {
    const here = await world();
    const server = await here.server();
    const { sessionId } = await begun(server);
    await server.call("sessions", { operation: "configure", session_id: sessionId, name: "Sweet things" });

    await ask(server, "Talk of the weather.", { session_id: "sweet things" });

    expect(await ask(server, recall, { session_id: "SWEET THINGS" })).toMatchObject({ text: "marzipan" });
    expect(here.sim.ledger.posts).toBe(3);
  });

  test("with an answer in between that came only after its caller had left", async () => {
    const here = await world();
    const server = await here.server();
    const { sessionId } = await begun(server);
    here.sim.script({ match: { message: "slowly" }, scenario: "hold_mid_text" });
    const receipt = await ask(server, "Talk slowly.", { session_id: sessionId, wait_ms: 0 });
    await until("it is being answered", () => here.sim.ledger.holding === 1);
    here.sim.release();
    const { tool, args } = stepIn(receipt["next"]);
    const late = said(await server.call(tool, args));

    const third = await ask(server, recall, { session_id: sessionId });

    expect(third).toMatchObject({ status: "completed", text: "marzipan", turn: 3 });
    expect(sentTo(here)[2]).toMatchObject({ previous_response_id: late["response_id"] });
    expect(here.sim.ledger.posts).toBe(3);
  });

  test("and every turn has the session's instructions, but for the one that overrides them", async () => {
    const here = await world();
    const server = await here.server();
    const { sessionId } = await begun(server, { instructions: "Be brief." });

    await ask(server, "Again.", { session_id: sessionId, instructions: "Be long." });
    await ask(server, "Without.", { session_id: sessionId, instructions: "" });
    await ask(server, recall, { session_id: sessionId });

    expect(sentTo(here).map(({ instructions }) => instructions ?? null)).toEqual([
      "Be brief.",
      "Be long.",
      null,
      "Be brief.",
    ]);
  });
});

describe("only an answer moves a session on", () => {
  const endings: [ScenarioName, string, boolean][] = [
    ["refusal", "refused", true],
    ["failed", "failed", false],
    ["failed_mid_text", "failed", false],
    ["incomplete", "incomplete", false],
    ["content_filter", "incomplete", false],
    ["reasoning_only", "incomplete", false],
    ["unsupported_parameter", "failed", false],
  ];

  test.each(endings)(
    "after a turn that ends by %s (%s), the next one follows on the right one",
    async (name, status, moves) => {
      const here = await world();
      const server = await here.server();
      const { sessionId, responseId } = await begun(server);
      here.sim.script({ times: 1, scenario: name });
      const second = await ask(server, "Go on.", { session_id: sessionId });
      expect(second["status"]).toBe(status);

      const third = await ask(server, "What was the code word?", { session_id: sessionId });

      expect(third).toMatchObject({ status: "completed", text: "marzipan" });
      const expected = moves ? second["response_id"] : responseId;
      expect(sentTo(here).at(-1)).toMatchObject({ previous_response_id: expected });
      expect(pointerOf(here.dataDir, sessionId)).toBe(third["response_id"]);
    },
  );

  test("an answer by a server that ignored the conversation is shown as such, and moves nothing", async () => {
    const here = await world();
    const server = await here.server();
    const { sessionId, responseId } = await begun(server);
    here.sim.script({ times: 1, scenario: "ignores_predecessor" });

    const result = await server.call("chat", { message: "What was the code word?", session_id: sessionId });

    expect(result.isError).toBe(true);
    expect(said(result)).toMatchObject({ text: expect.any(String), warnings: ["context_ignored"] });
    expect(pointerOf(here.dataDir, sessionId)).toBe(responseId);
    expect(here.sim.ledger.posts).toBe(2);
  });
});

describe("a conversation that upstream no longer has is never begun anew in silence", () => {
  const unstored: Scenario = { ...catalogue.ignores_store, treatAs: { store: false, background: false } };

  test.each([
    ["forgot it", (here: World) => here.sim.reset(), {}],
    ["never stored it", () => undefined, unstored],
  ])("when upstream %s, the turn fails and asks for a new session", async (_, forget, scenario) => {
    const here = await world();
    const server = await here.server();
    here.sim.script({ times: 1, scenario });
    const { sessionId, responseId } = await begun(server);
    forget(here);
    const before = here.sim.ledger.posts;
    // Old enough that no read lag can be the reason.
    alter(
      here.dataDir,
      "update sessions set last_response_at = last_response_at - 120000 where id = ?",
      sessionId,
    );

    const result = await server.call("chat", { message: "What was the code word?", session_id: sessionId });

    const told = said(result);
    expect(result.isError).toBe(true);
    expect(told).toMatchObject({ status: "failed", failure: { code: "predecessor_missing" } });
    expect(told["next"]).toMatch(/new session/i);
    expect(here.sim.ledger.posts).toBe(before);
    expect(sentTo(here).at(-1)).toMatchObject({ previous_response_id: responseId });
    expect(pointerOf(here.dataDir, sessionId)).toBe(responseId);
  });
});

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

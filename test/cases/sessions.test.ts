/** A conversation is a chain: every turn knows the ones before it, and no turn has two children. */
import { describe, expect, test } from "vitest";
import { catalogue, type Scenario, type ScenarioName } from "../../src/simulator/simulator.ts";
import { alter, pointerOf } from "../support/database.ts";
import { requestRow } from "../support/request-row.ts";
import { said, stepIn } from "../support/said.ts";
import { ask, begun, sentTo } from "../support/turns.ts";
import { until, type World, world } from "../support/world.ts";

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

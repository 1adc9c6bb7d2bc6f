/** C20: a wish to cancel reaches upstream once; giving a request up is something else. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Scenario, ScenarioName } from "../../src/simulator/simulator.ts";
import { everyKind } from "../support/every-kind.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import type { StdioServer } from "../support/stdio.ts";
import { type Told, tell } from "../support/told.ts";
import { expectOnePost, expectOwnPost } from "../support/verdicts.ts";
import { until, type World, world } from "../support/world.ts";

const message = "Where is my coat?";
const firstTwoWords = "You said:";

type Started = { host: StdioServer; r1: string; answer: Promise<Told> };

describe("C20: cancelling what is in progress asks upstream once and keeps what had arrived", () => {
  type Kind = [when: string, at: ScenarioName, text: string];
  const kinds: Kind[] = [
    ["queued", "hold_queued", ""],
    ["before its first word", "hold_after_created", ""],
    ["in the middle of its text", "hold_mid_text", firstTwoWords],
    ["before its last event", "hold_before_terminal", `You said: ${message}`],
  ];
  const cancellers = ["its own process", "another process"] as const;

  test.each(cancellers.flatMap((by) => kinds.map((kind) => [by, ...kind] as const)))(
    "by %s: a background response, %s",
    async (by, _, at, text) => {
      const all = await world();
      const { r1, answer, host } = await started(all, at);
      const canceller = by === "its own process" ? host : await all.server();

      const cancelled = await cancel(canceller, r1);
      console.log(JSON.stringify([cancelled, requestRow(all.dataDir, r1)], null, 1));

      expect(cancelled).toMatchObject({ isError: false, request_id: r1, cancel_requested: true });
      expectCancelled(all, await answer, r1, text);
      expect(all.sim.ledger).toMatchObject({ cancels: 1, responses: [{ status: "cancelled" }] });
    },
  );

  test.each(cancellers)("by %s: a foreground stream, which is stopped here", async (by) => {
    const all = await world();
    const { r1, answer, host } = await started(all, "hold_mid_text", { background: false });
    const canceller = by === "its own process" ? host : await all.server();

    expect(await cancel(canceller, r1)).toMatchObject({ isError: false, request_id: r1 });

    expectCancelled(all, await answer, r1, firstTwoWords);
    expect(all.sim.ledger).toMatchObject({ cancels: 0, requests: [{ ended: "left" }] });
  });

  test("wished before upstream had answered: as soon as there is something to cancel", async () => {
    const all = await world();
    const { sim } = all;
    const { r1, answer, host } = await started(all, { hold: ["body_read", { delta: 2 }] }, {}, "claimed");

    const wished = cancel(host, r1);
    await untilRow(all.dataDir, r1, "remembers the wish", ({ events }) =>
      events.includes("caller.cancelled"),
    );
    expect(sim.ledger.cancels).toBe(0);
    sim.release();

    expect(await wished).toMatchObject({ isError: false, request_id: r1 });
    expect(await answer).toMatchObject({
      isError: true,
      status: "incomplete",
      incomplete_reason: "cancelled",
    });
    expect(sim.ledger.cancels).toBe(1);
    expectOnePost(sim, r1);
  });

  test("while its answer is being collected", async () => {
    const all = await world();
    const { r1, answer, host } = await started(all, lost, {}, "recovery_required");

    expect(await cancel(host, r1)).toMatchObject({ isError: false, status: "incomplete" });

    expectCancelled(all, await answer, r1, firstTwoWords);
    expect(all.sim.ledger.cancels).toBe(1);
  });
});

describe("C20: cancelling twice is cancelling once", () => {
  type Twice = (host: StdioServer, other: StdioServer, r1: string) => Promise<Told[]>;
  const kinds: [string, Twice][] = [
    ["one after the other", async (host, _, r1) => [await cancel(host, r1), await cancel(host, r1)]],
    ["at once", (host, _, r1) => Promise.all([cancel(host, r1), cancel(host, r1)])],
    [
      "from two processes, one after the other",
      async (host, other, r1) => [await cancel(other, r1), await cancel(host, r1)],
    ],
    ["from two processes at once", (host, other, r1) => Promise.all([cancel(host, r1), cancel(other, r1)])],
  ];

  test.each(kinds)("%s", async (_, twice) => {
    const all = await world();
    const other = await all.server();
    const { r1, answer, host } = await started(all, "hold_mid_text");

    const said = await twice(host, other, r1);

    expect(said.map(({ isError }) => isError)).toEqual([false, false]);
    expectCancelled(all, await answer, r1, firstTwoWords);
    expect(all.sim.ledger.cancels).toBe(1);
    expect(requestRow(all.dataDir, r1)?.events.filter((event) => event === "caller.cancelled")).toHaveLength(
      1,
    );
  });
});

test("C20: cancelling what is settled is a no-op that keeps the answer", async () => {
  const { sim, dataDir, server } = await world();
  const host = await server();
  const kinds: [string, ScenarioName][] = [
    ["completed", "normal"],
    ["refused", "refusal"],
    ["incomplete", "incomplete"],
    ["failed", "failed"],
  ];

  await everyKind(kinds, async (state, scenario) => {
    const r1 = randomUUID();
    sim.script({ match: { message: state }, scenario });
    const answer = await tell(host, "chat", { message: state, request_id: r1 });
    const row = requestRow(dataDir, r1);

    const cancelled = await cancel(host, r1);

    expect(cancelled).toMatchObject({ isError: false, status: state });
    expect(cancelled).not.toHaveProperty("cancel_requested");
    expect(requestRow(dataDir, r1)).toEqual(row);
    const read = await tell(host, "answers", { action: "read", request_id: r1 });
    expect(read).toMatchObject({ status: state, isError: state !== "completed" });
    expect([read["text"], read["refusal"]]).toEqual([answer["text"], answer["refusal"]]);
  });
  expect(sim.ledger.cancels).toBe(0);
});

describe("C20: a cancel that upstream did not take can be wished again", () => {
  type Fault = [string, NonNullable<Scenario["cancel"]>[number]];
  const failures: Fault[] = [
    ["500", 500],
    ["502 from a gateway", { status: 502, html: true }],
    ["503", 503],
    ["429", 429],
    ["401", 401],
    ["a reset", "reset"],
    ["a closed connection", "hangup"],
  ];
  /** Servers answer like this for what is finished, too; here a GET shows that it goes on. */
  const evasions: Fault[] = [
    ["400", 400],
    ["404", "not_found"],
    ["409", 409],
    ["a web page", "html"],
    ["half a JSON document", "malformed_json"],
  ];

  test("whatever failure it was", () => expectCancellableAgain(failures));

  test("nor when the answer said nothing and the response goes on", () => expectCancellableAgain(evasions));

  async function expectCancellableAgain(faults: Fault[]) {
    const { sim, dataDir, server } = await world();
    const host = await server({ env: { CLAIMCHECK_MAX_LIVE: "64" } });

    await everyKind(faults, async (what, fault) => {
      const r1 = randomUUID();
      sim.script({ match: { message: what }, scenario: { hold: [{ delta: 2 }], cancel: [fault] } });
      const answer = tell(host, "chat", { message: what, request_id: r1 });
      await untilRow(dataDir, r1, "streams", ({ state }) => state === "streaming");

      const first = await cancel(host, r1);

      expect(first).toMatchObject({ isError: true, code: "upstream_unreachable", request_id: r1 });
      expect(first["message"]).toContain(`request_status {"action":"cancel","request_id":"${r1}"}`);
      expect(requestRow(dataDir, r1)).toMatchObject({ state: "streaming", finished: 0 });
      expect(await cancel(host, r1)).toMatchObject({ isError: false, status: "incomplete" });
      expect(await answer).toMatchObject({
        isError: true,
        status: "incomplete",
        incomplete_reason: "cancelled",
      });
      expectOwnPost(sim, r1);
      const { id } = sim.ledger.responses.find(({ requestId }) => requestId === r1) ?? {};
      expect(sim.ledger.requests.filter(({ path }) => path === `/v1/responses/${id}/cancel`)).toHaveLength(2);
    });
  }

  test("and where nobody does, the answer still comes", async () => {
    const all = await world();
    const { r1, answer, host } = await started(all, { hold: [{ delta: 2 }], cancel: [500] });
    await cancel(host, r1);
    all.sim.release();

    expect(await answer).toMatchObject({ isError: false, status: "completed", text: `You said: ${message}` });
    expect(all.sim.ledger.cancels).toBe(1);
    expectOnePost(all.sim, r1);
  });
});

describe("C20: what upstream finishes after the request was abandoned", () => {
  const endings: [string, Scenario][] = [
    ["completed", {}],
    ["refused", { output: { refusal: "I'd rather not." } }],
    ["incomplete", { ending: { status: "incomplete" } }],
  ];

  test.each(endings)(
    "is noted with its usage, and the request stays abandoned: %s",
    async (ending, scenario) => {
      const all = await world();
      const { sim, dataDir } = all;
      const { r1, answer, host } = await started(all, { ...lost, ...scenario }, {}, "recovery_required");

      const abandoned = await tell(host, "request_status", { request_id: r1, action: "abandon" });
      expect(abandoned).toMatchObject({
        isError: false,
        status: "abandoned",
        next: expect.stringMatching(/billed/),
      });
      const row = requestRow(dataDir, r1);
      sim.release();

      const later = await untilRow(dataDir, r1, "is noted", ({ notes }) =>
        notes.some(({ type }) => type === `upstream.${ending}`),
      );
      expect(later).toMatchObject({
        state: "abandoned",
        version: row?.version,
        snapshot: row?.snapshot,
        outcome: null,
        sessionPointer: null,
      });
      expect(later.notes).toEqual([
        {
          type: `upstream.${ending}`,
          state: "abandoned",
          payload: expect.objectContaining({
            usage: expect.objectContaining({ output_tokens: expect.any(Number) }),
          }),
        },
      ]);
      expect(await answer).toMatchObject({ isError: true, status: "abandoned" });
      expect(await tell(host, "answers", { action: "read", request_id: r1 })).toMatchObject({
        isError: true,
        status: "abandoned",
      });
      expect(sim.ledger.cancels).toBe(0);
      expectOnePost(sim, r1);
    },
  );
});

/** Its stream breaks in the middle and cannot be gone on with; the answer takes until it is let go. */
const lost: Scenario = {
  hold: [{ delta: 2 }],
  cut: { after: { delta: 2 }, how: "reset" },
  resume: ["expired"],
};

/** A call under way whose request has come to `state`, and that waits upstream. */
async function started(
  { sim, dataDir, server }: World,
  scenario: ScenarioName | Scenario,
  more: Record<string, unknown> = {},
  state = "streaming",
): Promise<Started> {
  const r1 = randomUUID();
  sim.script({ scenario });
  const host = await server();
  const answer = tell(host, "chat", { message, request_id: r1, ...more });
  await until("upstream holds it", () => sim.ledger.holding === 1);
  await untilRow(dataDir, r1, `is ${state}`, (row) => row.state === state);
  return { host, r1, answer };
}

const cancel = (host: StdioServer, r1: string) =>
  tell(host, "request_status", { request_id: r1, action: "cancel" });

function expectCancelled({ sim, dataDir }: World, answer: Told, r1: string, text: string) {
  expect(answer).toMatchObject({ isError: true, status: "incomplete", incomplete_reason: "cancelled", text });
  expect(answer["next"]).toMatch(/new request_id/);
  expectOnePost(sim, r1);
  const row = requestRow(dataDir, r1);
  expect(row).toMatchObject({ state: "incomplete", owner: null, finished: 1, sessionPointer: null });
  expect(row?.outcome).toContain(JSON.stringify(text));
}

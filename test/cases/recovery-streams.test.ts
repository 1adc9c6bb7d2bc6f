/** A stream that breaks off loses nothing: it is gone on with, or its answer is asked for. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Scenario } from "../../src/simulator/simulator.ts";
import { everyKind } from "../support/every-kind.ts";
import { requestRow, untilRow } from "../support/request-row.ts";
import type { StdioServer } from "../support/stdio.ts";
import { type Told, tell } from "../support/told.ts";
import { expectOwnPost } from "../support/verdicts.ts";
import { until, type World, world } from "../support/world.ts";

/** With an emoji and accents; four deltas, so that a background response has the events 0 to 12. */
const text = "Ten years, naïve café: 🎟️ ticket.";
const output = { text, deltaChars: Math.ceil([...text].length / 4) };
type Cut = NonNullable<Scenario["cut"]>;

/** Where it breaks, and the number of the last event that was whole by then. */
const places: [string, Cut["after"], number][] = [
  ["the first event, number 0", { event: 1 }, 0],
  ["event 3", { event: 4 }, 3],
  ["half of a character", "inside_character", 5],
  ["the last delta, before the terminal event", "last_delta", 8],
  ["all but the terminal event", "before_terminal", 11],
];
const manners: Cut["how"][] = ["reset", "fin", "eof", "silence"];

describe("C13: a background stream that breaks off is gone on with after the last event that was read", () => {
  test.each(manners)("by %s, wherever", async (how) => {
    const place = await openPlace(how);

    await everyKind(places, async (_, after, last) => {
      const asked = await ask(place, { output, cut: { after, how } });

      expectWhole(place, asked);
      expect(startsOf(place, asked)).toEqual([String(last)]);
      // A resumed stream whose first word is the last one is not live again, only settled.
      const live = after === "before_terminal" ? [] : ["stream.reattached"];
      expect(requestRow(place.dataDir, asked.r1)?.events).toEqual([
        ...["claimed", "upstream.accepted", "upstream.lost"],
        ...live,
        "upstream.completed",
      ]);
    });
    expect(place.sim.ledger.attempts).toBe(places.length);
  });

  test("and so again when it breaks again", async () => {
    const place = await openPlace();
    const again = (after: Cut["after"]) => ({ cut: { after, how: "reset" as const } });

    const asked = await ask(place, {
      output,
      cut: { after: { event: 4 }, how: "reset" },
      resume: [again({ event: 1 }), again({ delta: 1 }), again({ event: 2 })],
    });

    expectWhole(place, asked);
    expect(startsOf(place, asked)).toEqual(["3", "4", "5", "7"]);
  });

  test("from its beginning when its events have no numbers, repeating nothing", async () => {
    const place = await openPlace();

    const asked = await ask(place, {
      output,
      wire: { sequenceNumbers: false },
      cut: { after: { delta: 2 }, how: "reset" },
    });

    expectWhole(place, asked);
    expect(startsOf(place, asked)).toEqual([undefined]);
  });
});

describe("C13: a foreground stream that breaks off cannot be gone on with, so its answer is asked for", () => {
  test.each(manners)("by %s, wherever, where upstream finished it", async (how) => {
    const place = await openPlace(how);

    await everyKind(places, async (_, after, _last) => {
      const cut = { after, how, ...(how !== "silence" && { finished: true as const }) };
      const asked = await ask(place, { output, cut }, { background: false });

      expectWhole(place, asked);
      expect(requestsAbout(place, asked).length).toBeGreaterThan(0);
      expect(startsOf(place, asked)).toEqual([]);
    });
    expect(place.sim.ledger.attempts).toBe(places.length);
  });

  test("where upstream lost it with its connection, a piece is never given for the whole", async () => {
    const place = await openPlace();

    await everyKind(places, async (_, after, _last) => {
      const asked = await ask(
        place,
        { output, cut: { after, how: "reset" } },
        { background: false, wait_ms: 2_000 },
      );

      expect(asked.answer).toMatchObject({
        isError: false,
        status: "recovery_required",
        recovering: true,
        lost_to: "reset",
        next: expect.stringContaining(`answers {"action":"wait","request_id":"${asked.r1}"}`),
      });
      expect(asked.answer).not.toHaveProperty("text");
      expectOwnPost(place.sim, asked.r1);
      expect(requestRow(place.dataDir, asked.r1)).toMatchObject({
        state: "recovery_required",
        outcome: null,
        sessionPointer: null,
      });
    });
  });
});

describe("C15: where the stream cannot be gone on with, the answer is polled for", () => {
  const refusals: [string, NonNullable<Scenario["resume"]>][] = [
    ["400, no longer streamable", ["expired"]],
    ["404", ["not_found"]],
    ["410", [410]],
    ["429", [429]],
    ["500", [500]],
    ["503 from a gateway", [{ status: 503, html: true }]],
    ["a web page", ["html"]],
    ["an empty stream", ["empty"]],
    ["half a JSON document", ["malformed_json"]],
    ["a reset, every time", ["reset", "reset", "reset", "reset"]],
  ];

  test("whatever resuming is answered with", async () => {
    const place = await openPlace();

    await everyKind(refusals, async (_, resume) => {
      const asked = await ask(place, { output, cut: { after: { delta: 2 }, how: "reset" }, resume });

      expectWhole(place, asked);
      expect(startsOf(place, asked).length).toBeGreaterThan(0);
    });
    expect(place.sim.ledger.attempts).toBe(refusals.length);
  });

  test("while it is still being made, too", async () => {
    const place = await openPlace();
    const { sim, dataDir } = place;
    const r1 = randomUUID();
    const lost: Scenario = { output, cut: { after: { delta: 2 }, how: "reset" }, resume: ["expired"] };
    const asking = ask(place, { ...lost, hold: [{ delta: 2 }] }, { request_id: r1 });
    await untilRow(dataDir, r1, "is lost", ({ state }) => state === "recovery_required");
    await untilPolled(place, 2);
    sim.release();

    const asked = await asking;

    expectWhole(place, asked);
    expect(pollsFor(place, asked).length).toBeGreaterThanOrEqual(3);
  });
});

describe("C16: no hiccup of a retrieval ends the request", () => {
  type Step = NonNullable<Scenario["retrieve"]>[number];
  const rough: Step[] = [503, { status: 429, retryAfterS: 1 }, "reset", "malformed_json", "in_progress"];
  const lost: Scenario = { output, cut: { after: { delta: 2 }, how: "reset" }, resume: ["expired"] };

  test("503, 429 with a delay, reset, malformed JSON, in progress, one after the other", async () => {
    const place = await openPlace();

    const asked = await ask(place, { ...lost, retrieve: rough });

    expectWhole(place, asked);
    const polls = pollsFor(place, asked);
    expect(polls).toHaveLength(rough.length + 1);
    const [, limited, afterIt] = polls;
    // Timers may be a millisecond early.
    expect(Number(afterIt?.at) - Number(limited?.at)).toBeGreaterThanOrEqual(990);
    const row = requestRow(place.dataDir, asked.r1);
    expect(row?.events).toEqual(["claimed", "upstream.accepted", "upstream.lost", "upstream.completed"]);
    expect(row?.notes.map(({ type, state, payload }) => [type, state, payload["status"]])).toEqual([
      ["retrieval.faulted", "recovery_required", 503],
      ["retrieval.faulted", "recovery_required", 429],
      ["retrieval.faulted", "recovery_required", undefined],
      ["retrieval.faulted", "recovery_required", 200],
    ]);
  }, 30_000);

  const others: [string, Step[]][] = [
    ["401", [401]],
    ["403", [403]],
    ["404 once", ["not_found"]],
    ["404 twice within the read lag", ["not_found", "not_found"]],
    ["400", [400]],
    ["408", [408]],
    ["409", [409]],
    ["500", [500]],
    ["a gateway's 502", [{ status: 502, html: true }]],
    ["a quota used up", [{ status: 429, code: "insufficient_quota", type: "insufficient_quota" }]],
    ["a web page", ["html"]],
    ["nothing", ["empty"]],
    ["a closed connection", ["hangup"]],
    ["queued", ["queued"]],
  ];

  test("whichever it is", async () => {
    const place = await openPlace();

    await everyKind(others, async (_, retrieve) => {
      const asked = await ask(place, { ...lost, retrieve });

      expectWhole(place, asked);
      expect(pollsFor(place, asked)).toHaveLength(retrieve.length + 1);
    });
    expect(place.sim.ledger.attempts).toBe(others.length);
  });

  test("an upstream that cannot be reached for a while", async () => {
    const place = await openPlace();
    const { sim, dataDir } = place;
    const r1 = randomUUID();
    const asking = ask(place, { ...lost, hold: [{ delta: 2 }] }, { request_id: r1 });
    await untilRow(dataDir, r1, "is lost", ({ state }) => state === "recovery_required");
    await untilPolled(place, 1);
    await sim.pause();
    await untilRow(dataDir, r1, "could not be asked for", ({ notes }) => notes.length > 0);
    await sim.resume();
    sim.release();

    expectWhole(place, await asking);
  });
});

interface Place extends Pick<World, "sim" | "dataDir"> {
  host: StdioServer;
}

/** One server that may have all kinds of a case in hand at once; impatient only where silence is the matter. */
async function openPlace(how?: Cut["how"]): Promise<Place> {
  const { sim, dataDir, server } = await world();
  const env = { CLAIMCHECK_MAX_LIVE: "64", ...(how === "silence" && { CLAIMCHECK_IDLE_MS: "1500" }) };
  return { sim, dataDir, host: await server({ env }) };
}

interface Asked {
  r1: string;
  responseId: string;
  answer: Told;
}

async function ask(
  { sim, host }: Place,
  scenario: Scenario,
  more: Record<string, unknown> = {},
): Promise<Asked> {
  const r1 = String(more["request_id"] ?? randomUUID());
  const message = `Where is my coat, number ${r1}?`;
  sim.script({ match: { message }, scenario });
  const answer = await tell(host, "chat", { message, request_id: r1, ...more });
  return {
    r1,
    answer,
    responseId: sim.ledger.responses.find(({ requestId }) => requestId === r1)?.id ?? "none",
  };
}

/** The whole text, nothing missing and nothing twice, for one POST. */
function expectWhole({ sim, dataDir }: Place, { r1, responseId, answer }: Asked) {
  expect(answer).toMatchObject({ isError: false, status: "completed", text, response_id: responseId });
  expect(answer["usage"]).toMatchObject({ output_tokens: expect.any(Number) });
  expectOwnPost(sim, r1);
  const row = requestRow(dataDir, r1);
  expect(row).toMatchObject({
    state: "completed",
    responseId,
    sessionPointer: responseId,
    owner: null,
    delivered: 1,
  });
  expect(row?.outcome).toContain(JSON.stringify(text));
}

const requestsAbout = ({ sim }: Place, { responseId }: Asked) =>
  sim.ledger.requests.filter(({ path }) => path === `/v1/responses/${responseId}`);

const pollsFor = (place: Place, asked: Asked) =>
  requestsAbout(place, asked).filter(({ query }) => !("stream" in query));

/** Where each resumed stream was asked to start after. */
const startsOf = (place: Place, asked: Asked) =>
  requestsAbout(place, asked)
    .filter(({ query }) => "stream" in query)
    .map(({ query }) => query["starting_after"]);

async function untilPolled({ sim: { ledger } }: Place, times: number) {
  const polls = () => ledger.gets - ledger.resumes;
  const before = polls();
  await until("it was polled for", () => polls() >= before + times);
}

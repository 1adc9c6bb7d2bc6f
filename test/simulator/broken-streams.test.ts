import { describe } from "vitest";
import type { ScenarioName } from "../../src/simulator/simulator.ts";
import { asking, eventually, expect, failureOf, read, test, textOf, untilHolding } from "./support.ts";

const MESSAGE = "one two three four";
const ANSWER = `You said: ${MESSAGE}`;
const FIRST_WORDS = "You said:";

describe("a stream that breaks off", () => {
  const silentEnds: [ScenarioName, string, string | undefined][] = [
    ["eof_without_terminal", ANSWER, "response.output_item.done"],
    ["eof_after_created", "", "response.created"],
    ["eof_without_events", "", undefined],
  ];

  test.for(silentEnds)("%s: the SDK sees a normal end", async ([scenario, text, last], { play }) => {
    const reading = await play(scenario, { message: MESSAGE });

    expect(reading.error).toBeUndefined();
    expect(reading.text).toBe(text);
    expect(reading.types.at(-1)).toBe(last);
  });

  const breaks: [ScenarioName, string][] = [
    ["reset_after_first_event", ""],
    ["reset_mid_text", FIRST_WORDS],
    ["fin_mid_text", FIRST_WORDS],
    ["fin_after_last_delta", ANSWER],
    ["reset_before_terminal", ANSWER],
  ];

  test.for(breaks)(
    "%s: a TypeError, and what came before it",
    async ([scenario, text], { play, simulator }) => {
      const reading = await play(scenario, { message: MESSAGE });

      expect(reading.error).toMatchObject({ name: "TypeError", message: "terminated" });
      expect(reading.text).toBe(text);
      expect(reading.id).toMatch(/^resp_/);
      expect(simulator.ledger.requests).toMatchObject([{ ended: "cut" }]);
    },
  );

  test("fin_after_last_delta stops before the text is said to be done", async ({ play }) => {
    const { types } = await play("fin_after_last_delta");

    expect(types.at(-1)).toBe("response.output_text.delta");
  });

  test("fin_inside_character stops between two bytes of one", async ({ simulator }) => {
    simulator.script({ scenario: "fin_inside_character" });

    const bytes = await bytesOf(simulator.url);

    const [firstByteOfTwo] = Buffer.from("ï");
    expect(bytes.at(-1)).toBe(firstByteOfTwo);
  });

  test("fin_after_bytes sends exactly so many", async ({ simulator }) => {
    simulator.script({ scenario: "fin_after_bytes" });

    expect(await bytesOf(simulator.url)).toHaveLength(1_500);
  });

  test("it can wait with the break until the reader has read", async ({ simulator, client }) => {
    simulator.script({ scenario: { cut: { after: { event: 3 }, how: "reset", graceMs: 0 }, hold: ["cut"] } });
    const stream = await client.responses.create(asking());
    const events = stream[Symbol.asyncIterator]();

    for (let number = 0; number < 3; number += 1) {
      expect((await events.next()).value).toMatchObject({ sequence_number: number });
    }
    await untilHolding(simulator);
    simulator.release();

    expect(await failureOf(events.next())).toMatchObject({ message: "terminated" });
  });

  test("in the foreground takes the answer with it, billed", async ({ play, simulator, client }) => {
    const { id } = await play("reset_before_terminal");

    expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 404 });
    expect(simulator.ledger.responses).toMatchObject([{ billed: true, retrievable: false }]);
  });

  test("unless it was finished just before", async ({ play, client }) => {
    const cut = { after: "before_terminal", how: "reset", finished: true } as const;
    const { id } = await play({ cut }, { message: MESSAGE });

    expect((await client.responses.retrieve(id)).output_text).toBe(ANSWER);
  });

  test("in the background does the answer no harm", async ({ play, simulator, client }) => {
    const { id, text } = await play("reset_mid_text", { message: MESSAGE, background: true });

    expect(text).toBe(FIRST_WORDS);
    expect((await client.responses.retrieve(id)).output_text).toBe(ANSWER);
    expect(simulator.ledger.posts).toBe(1);
  });
});

describe("a stream that stops coming", () => {
  const stalls: [ScenarioName, number][] = [
    ["stall_after_created", 1],
    ["stall_mid_text", 7],
  ];

  test.for(stalls)(
    "%s: silence, while upstream finishes",
    async ([scenario, count], { simulator, client }) => {
      simulator.script({ scenario });
      const stream = await client.responses.create(asking({ message: MESSAGE, background: true }));
      const events = stream[Symbol.asyncIterator]();
      const { value: created } = await events.next();

      await eventually(() => expect(simulator.ledger.requests).toMatchObject([{ eventsSent: count }]));
      expect(simulator.ledger.requests[0]).not.toHaveProperty("ended");
      const id = created?.type === "response.created" ? created.response.id : "";
      expect((await client.responses.retrieve(id)).output_text).toBe(ANSWER);
      stream.controller.abort();
    },
  );

  const holds: [ScenarioName, string, string][] = [
    ["hold_after_created", "response.created", "in_progress"],
    ["hold_mid_text", "response.output_text.delta", "in_progress"],
    ["hold_before_terminal", "response.output_item.done", "in_progress"],
  ];

  test.for(holds)("%s: upstream itself waits", async ([scenario, last, status], { simulator, client }) => {
    simulator.script({ scenario });
    const stream = await client.responses.create(asking({ message: MESSAGE }));
    const events = stream[Symbol.asyncIterator]();
    const before = [];
    while (before.at(-1)?.type !== last || textOf(before) === "You") {
      const { value } = await events.next();
      if (value) before.push(value);
    }

    await untilHolding(simulator);
    expect(simulator.ledger.responses).toMatchObject([{ status }]);
    simulator.release();

    const after = await read(Promise.resolve({ [Symbol.asyncIterator]: () => events }));
    expect(after.response?.status).toBe("completed");
    expect(textOf(before) + after.text).toBe(ANSWER);
  });

  test("hold_queued: it stays in the queue", async ({ simulator, client }) => {
    simulator.script({ scenario: "hold_queued" });
    const { id } = await client.responses.create({ model: "gpt-sim", input: "Hi", background: true });

    expect(await client.responses.retrieve(id)).toMatchObject({ status: "queued" });
    expect(simulator.ledger.responses).toMatchObject([{ billed: false }]);
    simulator.release();

    await eventually(async () =>
      expect(await client.responses.retrieve(id)).toMatchObject({ status: "completed" }),
    );
  });
});

describe("a reader that leaves", () => {
  test("ends a foreground generation, which is billed and not stored", async ({ simulator, client }) => {
    simulator.script({ scenario: "hold_mid_text" });
    const stream = await client.responses.create(asking({ message: MESSAGE }));
    await untilHolding(simulator);

    stream.controller.abort();

    await eventually(() =>
      expect(simulator.ledger.responses).toMatchObject([
        { status: "cancelled", billed: true, retrievable: false },
      ]),
    );
    expect(simulator.ledger).toMatchObject({ holding: 0, requests: [{ ended: "left" }] });
  });

  test("strands a background one if upstream is so made and it leaves too early", async ({
    simulator,
    client,
  }) => {
    simulator.script({ scenario: "stranded" });
    const stream = await client.responses.create(asking({ background: true }));
    await untilHolding(simulator);

    stream.controller.abort();

    await eventually(() => expect(simulator.ledger.holding).toBe(0));
    const [response] = simulator.ledger.responses;
    expect(await client.responses.retrieve(response?.id ?? "")).toMatchObject({ status: "queued" });
  });
});

/** What arrives before the connection breaks. */
async function bytesOf(url: string): Promise<number[]> {
  const answer = await fetch(`${url}/responses`, {
    method: "POST",
    headers: { authorization: "Bearer sk-test" },
    body: JSON.stringify(asking()),
  });
  const bytes: number[] = [];
  try {
    for await (const chunk of answer.body ?? []) bytes.push(...chunk);
  } catch {
    // The break.
  }
  return bytes;
}

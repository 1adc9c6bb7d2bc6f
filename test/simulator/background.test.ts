import { describe } from "vitest";
import { asking, clientOf, eventually, expect, failureOf, read, test, untilHolding } from "./support.ts";

const plain = { model: "gpt-sim", input: "Hi", background: true };

describe("a background response", () => {
  test("is queued at once and completed by itself", async ({ client }) => {
    const queued = await client.responses.create(plain);
    expect(queued).toMatchObject({ status: "queued", background: true, output: [], usage: null });

    await eventually(async () =>
      expect(await client.responses.retrieve(queued.id)).toMatchObject({
        status: "completed",
        output_text: "You said: Hi",
      }),
    );
  });

  test("streams with an event for its queue", async ({ client }) => {
    const { events } = await read(client.responses.create(asking({ background: true })));

    expect(events.slice(0, 3)).toMatchObject([
      { type: "response.created", sequence_number: 0, response: { status: "queued" } },
      { type: "response.queued", sequence_number: 1 },
      { type: "response.in_progress", sequence_number: 2, response: { status: "in_progress" } },
    ]);
  });

  test("goes on when its reader leaves, and can be resumed live without gap or repeat", async ({
    simulator,
    client,
  }) => {
    simulator.script({ scenario: { hold: [{ delta: 1 }, { delta: 3 }] } });
    const stream = await client.responses.create(asking({ message: "one two three", background: true }));
    const first = stream[Symbol.asyncIterator]();
    const seen = [];
    while (seen.at(-1)?.type !== "response.output_text.delta") seen.push((await first.next()).value);
    const id = simulator.ledger.responses[0]?.id ?? "";
    await untilHolding(simulator);
    stream.controller.abort();
    await eventually(() => expect(simulator.ledger.requests).toMatchObject([{ ended: "left" }]));

    simulator.release();
    await untilHolding(simulator);
    const resumed = read(client.responses.retrieve(id, { stream: true, starting_after: seen.length - 1 }));
    await eventually(() => expect(simulator.ledger.requests[1]?.eventsSent).toBe(2));
    simulator.release();

    const { events, response } = await resumed;
    const numbers = [...seen, ...events].map((event) => event?.sequence_number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(response?.status).toBe("completed");
    expect(simulator.ledger).toMatchObject({ posts: 1, resumes: 1 });
  });

  test("can be streamed later only if it was created as a stream", async ({ client }) => {
    const { id } = await client.responses.create(plain);

    expect(await failureOf(client.responses.retrieve(id, { stream: true }))).toMatchObject({ status: 400 });
  });

  test("can be streamed for five minutes and retrieved after that", async ({ start }) => {
    const clock = { time: 1_900_000_000_000, now: () => clock.time };
    const client = clientOf(await start({ clock }));
    const { id, text, response } = await read(client.responses.create(asking({ background: true })));
    expect(response?.created_at).toBe(1_900_000_000);

    clock.time += 5 * 60_000;
    expect((await read(client.responses.retrieve(id, { stream: true }))).text).toBe(text);
    clock.time += 1;
    expect(await failureOf(client.responses.retrieve(id, { stream: true }))).toMatchObject({
      status: 400,
      message: "400 This response can no longer be streamed because it is more than 5 minutes old.",
    });
    expect((await client.responses.retrieve(id)).output_text).toBe(text);
  });

  test("refuses a cursor that is no number", async ({ simulator, client }) => {
    const { id } = await read(client.responses.create(asking({ background: true })));

    const answer = await fetch(`${simulator.url}/responses/${id}?stream=true&starting_after=abc`, {
      headers: { authorization: "Bearer sk-test" },
    });

    expect(await answer.json()).toMatchObject({ error: { param: "starting_after" } });
  });

  test("queued_for_long: leaves the queue after so many polls", async ({ simulator, client }) => {
    simulator.script({ scenario: "queued_for_long" });
    const { id } = await client.responses.create(plain);

    for (let poll = 0; poll < 5; poll += 1) {
      expect(await client.responses.retrieve(id)).toMatchObject({ status: "queued" });
    }
    await eventually(async () => expect((await client.responses.retrieve(id)).status).toBe("completed"));
  });
});

describe("cancelling", () => {
  test("stops a background response, and again changes nothing", async ({ simulator, client }) => {
    simulator.script({ scenario: "hold_mid_text" });
    const reading = read(client.responses.create(asking({ background: true })));
    await untilHolding(simulator);
    const [{ id } = { id: "" }] = simulator.ledger.responses;

    expect(await client.responses.cancel(id)).toMatchObject({ id, status: "cancelled" });
    expect(await client.responses.cancel(id)).toMatchObject({ id, status: "cancelled" });

    const { error, types } = await reading;
    expect(error).toBeUndefined();
    expect(types.at(-1)).toBe("response.output_text.delta");
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "cancelled" });
    expect(simulator.ledger).toMatchObject({ cancels: 2, responses: [{ billed: true }] });
  });

  test("a finished one returns it as it is", async ({ client }) => {
    const { id, text } = await read(client.responses.create(asking({ background: true })));

    expect(await client.responses.cancel(id)).toMatchObject({
      status: "completed",
      output: [{ content: [{ type: "output_text", text }] }],
    });
  });

  test("is refused for a foreground response and an unknown one", async ({ client }) => {
    const { id } = await read(client.responses.create(asking()));

    expect(await failureOf(client.responses.cancel(id))).toMatchObject({ status: 400 });
    expect(await failureOf(client.responses.cancel("resp_unknown"))).toMatchObject({ status: 404 });
  });

  test("cancel_fails_once: a 500, then it works", async ({ simulator, client }) => {
    simulator.script({ scenario: "cancel_fails_once" });
    const { id } = await client.responses.create(plain);

    expect(await failureOf(client.responses.cancel(id))).toMatchObject({ status: 500 });
    expect(await client.responses.cancel(id)).toMatchObject({ status: "cancelled" });
  });

  test("completes_after_cancel: it was cancelled, and is completed after all", async ({
    simulator,
    client,
  }) => {
    simulator.script({ scenario: "completes_after_cancel" });
    const { id } = await client.responses.create(plain);
    await untilHolding(simulator);

    expect(await client.responses.cancel(id)).toMatchObject({ status: "cancelled" });
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "cancelled" });
    simulator.release();

    await eventually(async () => expect((await client.responses.retrieve(id)).status).toBe("completed"));
  });
});

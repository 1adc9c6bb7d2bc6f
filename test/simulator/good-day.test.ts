import { describe } from "vitest";
import { asking, expect, failureOf, read, test } from "./support.ts";

describe("a streamed answer", () => {
  test("comes in the order of the API, numbered from 0", async ({ client }) => {
    const { types, events, text, error } = await read(client.responses.create(asking({ message: "Hi" })));

    expect(error).toBeUndefined();
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(text).toBe("You said: Hi");
  });

  test("echoes what was asked and says what it cost", async ({ client }) => {
    const { response } = await read(
      client.responses.create({
        ...asking(),
        instructions: "Be brief.",
        max_output_tokens: 100,
        metadata: { request_id: "r1" },
        reasoning: { effort: "low" },
        text: { verbosity: "low" },
        service_tier: "flex",
        store: false,
      }),
    );

    expect(response).toMatchObject({
      status: "completed",
      model: "gpt-sim",
      instructions: "Be brief.",
      max_output_tokens: 100,
      metadata: { request_id: "r1" },
      reasoning: { effort: "low", summary: null },
      text: { verbosity: "low", format: { type: "text" } },
      service_tier: "flex",
      store: false,
      background: false,
      previous_response_id: null,
      usage: { input_tokens: 6, output_tokens: 6, total_tokens: 12 },
    });
  });

  test("can be retrieved afterwards, replayed, and deleted", async ({ client }) => {
    const { id, text, events } = await read(client.responses.create(asking()));

    expect((await client.responses.retrieve(id)).output_text).toBe(text);
    const replayed = await read(client.responses.retrieve(id, { stream: true, starting_after: 3 }));
    expect(replayed.events).toEqual(events.slice(4));

    await client.responses.delete(id);
    expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 404 });
  });

  test("is nowhere to be found when it was not to be stored", async ({ client }) => {
    const { id } = await read(client.responses.create({ ...asking(), store: false }));

    expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 404 });
  });
});

describe("a plain answer", () => {
  test("is the whole response", async ({ client }) => {
    const response = await client.responses.create({ model: "gpt-sim", input: "Hi" });

    expect(response).toMatchObject({ status: "completed", output_text: "You said: Hi", store: true });
  });

  test("is taken from items with roles and parts too", async ({ client }) => {
    const response = await client.responses.create({
      model: "gpt-sim",
      input: [
        { role: "developer", content: "Be kind." },
        { role: "user", content: [{ type: "input_text", text: "Hello" }] },
      ],
    });

    expect(response.output_text).toBe("You said: Hello");
  });
});

describe("a chain of turns", () => {
  test("remembers the code word of its first turn", async ({ client }) => {
    const first = await read(client.responses.create(asking({ message: "The code word is heron." })));
    const second = await read(client.responses.create(asking({ message: "Noted?", previous: first.id })));
    const third = await read(
      client.responses.create(asking({ message: "What was the code word?", previous: second.id })),
    );

    expect(third.text).toBe("heron");
    expect(third.response?.previous_response_id).toBe(second.id);
    expect(third.response?.usage?.input_tokens).toBeGreaterThan(second.response?.usage?.input_tokens ?? 0);
  });

  test("knows nothing when it starts anew", async ({ client }) => {
    await read(client.responses.create(asking({ message: "The code word is heron." })));
    const other = await read(client.responses.create(asking({ message: "What was the code word?" })));

    expect(other.text).toBe("I have not been told a code word.");
  });

  test("goes on from an incomplete turn and loses what is behind a deleted one", async ({
    client,
    simulator,
  }) => {
    const first = await read(client.responses.create(asking({ message: "The code word is heron." })));
    simulator.script({ times: 1, scenario: "incomplete" });
    const second = await read(client.responses.create(asking({ previous: first.id })));
    await client.responses.delete(first.id);
    const third = await read(
      client.responses.create(asking({ message: "What was the code word?", previous: second.id })),
    );

    expect(second.response?.status).toBe("incomplete");
    expect(third.text).toBe("I have not been told a code word.");
  });

  test("is refused where its predecessor is unknown, failed, or was not stored", async ({
    client,
    simulator,
  }) => {
    simulator.script({ times: 1, scenario: "failed" });
    const failed = await read(client.responses.create(asking()));
    const unstored = await read(client.responses.create({ ...asking(), store: false }));

    for (const previous of ["resp_unknown", failed.id, unstored.id]) {
      expect(await failureOf(client.responses.create(asking({ previous })))).toMatchObject({
        status: 400,
        code: "previous_response_not_found",
        param: "previous_response_id",
        message: `400 Previous response with id '${previous}' not found.`,
      });
    }
    expect(simulator.ledger).toMatchObject({ attempts: 5, posts: 2 });
  });
});

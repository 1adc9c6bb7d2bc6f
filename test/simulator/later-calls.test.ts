import { describe } from "vitest";
import { asking, clientOf, expect, failureOf, read, test } from "./support.ts";

const retrievable = { background: true };

describe("retrieval", () => {
  test("rough_retrieval: one hiccup after the other, then the answer", async ({ play, client }) => {
    const { id, text } = await play("rough_retrieval", retrievable);
    const retrieve = () => client.responses.retrieve(id);

    expect(await failureOf(retrieve())).toMatchObject({ status: 503 });
    expect(await failureOf(retrieve())).toMatchObject({ status: 429 });
    expect(await failureOf(retrieve())).toMatchObject({ name: "Error", message: "Connection error." });
    expect(await failureOf(retrieve())).toBeInstanceOf(SyntaxError);
    expect(await retrieve()).toMatchObject({ status: "in_progress", output_text: "" });
    expect(await retrieve()).toMatchObject({ status: "completed", output_text: text });
  });

  test("takes the steps scripted for it afterwards first", async ({ simulator, play, client }) => {
    const { id } = await play({ retrieve: ["queued"] }, retrievable);
    const other = await play("normal", retrievable);
    simulator.scriptLater({ retrieve: ["not_found", "normal"] });
    simulator.scriptLater({ responseId: id, retrieve: [{ status: 504, html: true }] });

    expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 504 });
    expect(await failureOf(client.responses.retrieve(other.id))).toMatchObject({ status: 404 });
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "completed" });
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "queued" });
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "completed" });
  });

  test("read_lag: not found at first, neither by a GET nor by the next turn", async ({
    simulator,
    play,
    client,
  }) => {
    const { id } = await play("read_lag");
    const turn = () => client.responses.create(asking({ previous: id }));

    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 404 });
      expect(await failureOf(turn())).toMatchObject({ code: "previous_response_not_found" });
    }
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "completed" });
    expect((await read(turn())).response?.status).toBe("completed");
    expect(simulator.ledger).toMatchObject({ attempts: 5, posts: 2, gets: 4 });
  });

  test("read lag can be a time instead", async ({ start }) => {
    const clock = { time: Date.now(), now: () => clock.time };
    const simulator = await start({ clock });
    const client = clientOf(simulator);
    simulator.script({ scenario: { readLag: { ms: 5_000 } } });
    const { id } = await read(client.responses.create(asking()));

    expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 404 });
    clock.time += 5_000;
    expect(await client.responses.retrieve(id)).toMatchObject({ id });
  });
});

describe("resumption", () => {
  test("resume_expired: refused as too old, and a poll still works", async ({ play, client }) => {
    const { id } = await play("resume_expired", retrievable);

    expect(await failureOf(client.responses.retrieve(id, { stream: true, starting_after: 6 }))).toMatchObject(
      {
        status: 400,
        message: "400 This response can no longer be streamed because it is more than 5 minutes old.",
      },
    );
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "completed" });
  });

  test("resume_cut_again: three connections, one text", async ({ play, client }) => {
    const first = await play("resume_cut_again", { ...retrievable, message: "one two three four" });
    const resumeAfter = (number: number) =>
      read(client.responses.retrieve(first.id, { stream: true, starting_after: number }));
    const second = await resumeAfter(first.events.length - 1);
    const third = await resumeAfter(first.events.length + second.events.length - 1);

    expect(first.error).toBeInstanceOf(TypeError);
    expect(second.error).toBeInstanceOf(TypeError);
    expect(third.error).toBeUndefined();
    expect(first.text + second.text + third.text).toBe("You said: one two three four");
    expect(third.finalText).toBe("You said: one two three four");
  });

  test("takes no step of retrieval, and knows every other misfortune", async ({
    simulator,
    play,
    client,
  }) => {
    const { id, text } = await play(
      { retrieve: [500], resume: [502, "not_found", "reset", "normal"] },
      retrievable,
    );
    const resume = () => client.responses.retrieve(id, { stream: true });

    expect(await failureOf(resume())).toMatchObject({ status: 502 });
    expect(await failureOf(resume())).toMatchObject({ status: 404 });
    expect(await failureOf(resume())).toMatchObject({ message: "Connection error." });
    expect((await read(resume())).text).toBe(text);
    expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 500 });
    expect(simulator.ledger).toMatchObject({ gets: 5, resumes: 4 });
  });

  test("has the same dialect as the first stream", async ({ play, client }) => {
    const { id } = await play("no_sequence_numbers", retrievable);

    const { events } = await read(client.responses.retrieve(id, { stream: true }));
    expect(events.some((event) => "sequence_number" in event)).toBe(false);
  });
});

describe("a server that ignores what it was asked", () => {
  test("ignores_store: says so, and finds nothing", async ({ play, client }) => {
    const { id, response } = await play("ignores_store");

    expect(response).toMatchObject({ store: false });
    expect(await failureOf(client.responses.retrieve(id))).toMatchObject({ status: 404 });
  });

  test("ignores_predecessor: says so, and remembers nothing", async ({ play }) => {
    const first = await play("normal", { message: "The code word is heron." });
    const ask = { message: "What was the code word?", previous: first.id };
    const second = await play("ignores_predecessor", ask);

    expect(second.text).toBe("I have not been told a code word.");
    expect(second.response).toMatchObject({ previous_response_id: null });
    expect((await play("ignores_predecessor", { previous: "resp_unknown" })).error).toBeUndefined();
  });

  test("ignores_background: says so, and loses the answer with its connection", async ({
    simulator,
    play,
  }) => {
    const { response } = await play("ignores_background", retrievable);
    expect(response).toMatchObject({ background: false });

    await play({ treatAs: { background: false }, cut: { after: { delta: 1 }, how: "fin" } }, retrievable);
    expect(simulator.ledger.responses).toMatchObject([{ retrievable: true }, { retrievable: false }]);
  });

  test("may serve another model and another tier than asked", async ({ play }) => {
    const { response } = await play({ treatAs: { model: "gpt-sim-2026-11-01", service_tier: "priority" } });

    expect(response).toMatchObject({ model: "gpt-sim-2026-11-01", service_tier: "priority" });
  });
});

import OpenAI from "openai";
import { describe } from "vitest";
import { expect, test } from "./support.ts";

describe("events beside the answer", () => {
  test("keepalive and unknown ones are numbered like the rest", async ({ play }) => {
    for (const [scenario, type] of [
      ["keepalive", "keepalive"],
      ["unknown_events", "response.rumination.delta"],
    ] as const) {
      const { types, events, response } = await play(scenario);

      expect(types.filter((seen) => seen === type)).toHaveLength(3);
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
      expect(response?.status).toBe("completed");
    }
  });

  test("they keep the pace of the text", async ({ play }) => {
    const before = performance.now();
    await play({ noise: { keepalive: 5 }, pace: { deltaMs: 10 } }, { message: "Hi" });

    expect(performance.now() - before).toBeGreaterThanOrEqual(75);
  });

  test("oversized_event is of so many MiB", async ({ play }) => {
    const { events, response } = await play("oversized_event");

    const largest = Math.max(...events.map((event) => JSON.stringify(event).length));
    expect(largest).toBeGreaterThan(9 * 1024 * 1024);
    expect(response?.status).toBe("completed");
  });
});

describe("events with something amiss", () => {
  test("no_sequence_numbers", async ({ play }) => {
    const { events, response } = await play("no_sequence_numbers");

    expect(events.some((event) => "sequence_number" in event)).toBe(false);
    expect(response?.status).toBe("completed");
  });

  test("rotating_ids: only the first can be retrieved", async ({ play, client }) => {
    const { id, response } = await play("rotating_ids");

    expect(response?.id).not.toBe(id);
    expect(await client.responses.retrieve(id)).toMatchObject({ id, status: "completed" });
  });

  test("completed_without_output: the rest is there for a GET", async ({ play, client }) => {
    const { id, text, response } = await play("completed_without_output");

    expect(response).not.toHaveProperty("output");
    expect(response).not.toHaveProperty("usage");
    expect(await client.responses.retrieve(id)).toMatchObject({ output_text: text });
  });

  test("completed_but_incomplete: the event says one thing, its response another", async ({ play }) => {
    const { types, response } = await play("completed_but_incomplete");

    expect(types.at(-1)).toBe("response.completed");
    expect(response?.status).toBe("incomplete");
  });
});

describe("error events", () => {
  test("flat: version 6 of the SDK yields it, with or without its event line", async ({ play, client }) => {
    for (const scenario of ["error_event_flat", "error_event_unnamed"] as const) {
      const { id, events, error } = await play(scenario, { background: true });

      expect(error).toBeUndefined();
      expect(events.at(-1)).toMatchObject({ type: "error", code: "server_error", param: null });
      expect(await client.responses.retrieve(id)).toMatchObject({ status: "failed" });
    }
  });

  test("nested: it is thrown, and what follows is never seen", async ({ play, client }) => {
    for (const scenario of ["error_event_nested", "error_event_then_failed"] as const) {
      const { id, types, error } = await play(scenario, { background: true });

      expect(error).toBeInstanceOf(OpenAI.APIError);
      expect(types.at(-1)).toBe("response.in_progress");
      expect(await client.responses.retrieve(id)).toMatchObject({ status: "failed" });
    }
  });

  test("error_event_then_failed: api.openai.com's own order", async ({ simulator, play, client }) => {
    const { id, error } = await play("error_event_then_failed", { background: true });

    expect(error).toMatchObject({ code: "insufficient_quota" });
    const replay = await client.responses.retrieve(id, { stream: true, starting_after: 3 });
    const rest = [];
    for await (const event of replay) rest.push(event);
    expect(rest).toMatchObject([
      { type: "response.failed", response: { status: "failed", error: { code: "insufficient_quota" } } },
    ]);
    expect(simulator.ledger.responses).toMatchObject([{ billed: false }]);
  });

  test("error_event_yet_completed: only a GET can tell", async ({ play, client }) => {
    const { id, error, text } = await play("error_event_yet_completed", { background: true });

    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(await client.responses.retrieve(id)).toMatchObject({ status: "completed", output_text: text });
  });
});

import { describe } from "vitest";
import { expect, test } from "./support.ts";

const MESSAGE = "one two three four";

describe("an end other than a plain answer", () => {
  test("failed, before a word and after some", async ({ play }) => {
    const atOnce = await play("failed");
    expect(atOnce.types).toEqual(["response.created", "response.in_progress", "response.failed"]);
    expect(atOnce.response).toMatchObject({ status: "failed", error: { code: "server_error" }, usage: null });

    const midText = await play("failed_mid_text");
    expect(midText.text).toBe("You said:");
    expect(midText.response).toMatchObject({ status: "failed", output: [] });
  });

  test("incomplete, with its reason and what was said so far", async ({ play }) => {
    const tooLong = await play("incomplete", { message: MESSAGE });
    expect(tooLong.types.at(-1)).toBe("response.incomplete");
    expect(tooLong.response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ status: "incomplete", content: [{ text: "You said:" }] }],
    });

    const filtered = await play("content_filter", { message: MESSAGE });
    expect(filtered.response?.incomplete_details).toEqual({ reason: "content_filter" });
  });

  test("reasoning_only: everything was spent on thinking", async ({ play }) => {
    const { text, response } = await play("reasoning_only");

    expect(text).toBe("");
    expect(response).toMatchObject({
      status: "incomplete",
      output: [{ type: "reasoning" }],
      usage: { output_tokens: 1_024, output_tokens_details: { reasoning_tokens: 1_024 } },
    });
  });

  test("refusal: a part of its own, no text", async ({ play }) => {
    const { text, types, response } = await play("refusal");

    expect(text).toBe("");
    expect(types).toContain("response.refusal.delta");
    expect(response).toMatchObject({
      status: "completed",
      output: [{ content: [{ type: "refusal", refusal: "I'm sorry, but I can't help with that." }] }],
    });
  });

  test("function_call: a call and nothing else", async ({ play }) => {
    const { types, response } = await play("function_call");

    expect(types).toContain("response.function_call_arguments.done");
    expect(response?.output).toMatchObject([
      { type: "function_call", name: "get_capital", arguments: '{"country":"France"}', status: "completed" },
    ]);
  });

  test("citations: annotations over the text", async ({ play }) => {
    const { types, response } = await play("citations");

    expect(types).toContain("response.output_text.annotation.added");
    expect(response?.output).toMatchObject([
      {
        content: [
          { annotations: [{ type: "url_citation", url: "https://example.com/paris", end_index: 31 }] },
        ],
      },
    ]);
  });

  test("commentary: two messages, each with its phase", async ({ play }) => {
    const { response } = await play("commentary");

    expect(response?.output).toMatchObject([
      { type: "message", phase: "commentary", content: [{ text: "Let me look that up." }] },
      { type: "message", phase: "final_answer", content: [{ text: "It is Paris." }] },
    ]);
  });

  test("long_text: exactly as long as asked, in whole characters", async ({ play }) => {
    const { text, finalText } = await play("long_text");

    expect(text.length).toBe(60_000);
    expect(text === finalText).toBe(true);
    expect(text).not.toMatch(/\p{Surrogate}/u);
    expect(text).toContain("🎟️");
  });

  test("the text and the size of its deltas can be chosen", async ({ play }) => {
    const { types, text } = await play({ output: { text: "🎟️ab", deltaChars: 2 } });

    expect(text).toBe("🎟️ab");
    expect(types.filter((type) => type === "response.output_text.delta")).toHaveLength(2);
  });
});

/** The reducer alone: what a stream amounts to, whatever server told it. */
import { describe, expect, test } from "vitest";
import { emptyDraft } from "../../src/providers/openai/draft.ts";
import { outcomeOf } from "../../src/providers/openai/outcome.ts";
import { reduce } from "../../src/providers/openai/reduce.ts";
import { settledOf } from "../../src/providers/openai/settled.ts";
import { readEvent } from "../../src/providers/openai/upstream.ts";
import {
  answer,
  completed,
  created,
  delta,
  itemAdded,
  message,
  numbered,
  refusalPart,
  response,
  responseId,
  textPart,
  usage,
} from "./support/events.ts";

const textBytes = 1_000;

function drafted(events: readonly unknown[], limit = textBytes) {
  return events.map(readEvent).reduce((draft, event) => reduce(draft, event, limit), emptyDraft());
}

const settled = (events: readonly unknown[], limit = textBytes) =>
  settledOf(drafted(events, limit), { textBytes: limit, requestId: undefined });

const soFar = (events: readonly unknown[], limit = textBytes) =>
  outcomeOf(drafted(events, limit), limit, null);

const bare = { type: "response.completed", response: { id: responseId, status: "completed" } };

describe("tolerance", () => {
  test("events that nobody knows, or that are none, change nothing", () => {
    const told = answer("One ", "two.");
    const noise = [null, 7, "x", [], {}, { type: 7 }, { type: "response.tomorrow" }, { type: "keepalive" }];

    expect(settled(told.flatMap((event) => [...noise, event]))).toEqual(settled(told));
  });

  test("fields of the wrong kind are as good as absent", () => {
    const odd = { ...created(), sequence_number: "first", output_index: -1, item_id: 7 };
    const oddResponse = {
      ...completed({
        output: [message(textPart("Hi."))],
        usage: "much",
        model: 7,
        store: "yes",
        service_tier: {},
      }),
    };

    expect(settled([odd, oddResponse])).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "Hi.", usage: null, model: "gpt-sim-2026", echo: { store: true } },
    });
  });

  test("a message without content, or with content that is none, is survived", () => {
    const output = [
      { type: "message" },
      { type: "message", content: null },
      null,
      7,
      message(textPart("Here.")),
    ];

    expect(settled([created(), completed({ output })])).toMatchObject({ outcome: { text: "Here." } });
  });

  test("an id that is none gives no response", () => {
    for (const id of ["", "x".repeat(600), "two words", "line\nbreak", 7, null]) {
      expect(soFar([{ type: "response.created", response: { id } }])).toBeNull();
    }
  });
});

describe("text", () => {
  test("is put together from deltas where the end has no output", () => {
    expect(settled([created(), delta("One "), delta("two."), bare])).toMatchObject({
      outcome: { text: "One two.", fullChars: 8 },
    });
  });

  test("is put together from deltas where the end has an empty output", () => {
    expect(settled([created(), delta("One."), completed()])).toMatchObject({ outcome: { text: "One." } });
  });

  test("is kept where the final output has only the reasoning", () => {
    const events = [created(), delta("One."), completed({ output: [{ type: "reasoning" }] })];

    expect(settled(events)).toMatchObject({ outcome: { text: "One.", kinds: ["reasoning"] } });
  });

  test("is upstream's final word where there is one", () => {
    const events = [created(), delta("Onw."), completed({ output: [message(textPart("One."))] })];

    expect(settled(events)).toMatchObject({ outcome: { text: "One." } });
  });

  test("is the final word on a part, an item or a text, over its deltas", () => {
    const done = [
      { type: "response.output_text.done", output_index: 0, content_index: 0, text: "One." },
      { type: "response.content_part.done", output_index: 0, content_index: 0, part: textPart("One.") },
      { type: "response.output_item.done", output_index: 0, item: message(textPart("One.")) },
    ];
    for (const last of done)
      expect(settled([created(), delta("On"), last, bare])).toMatchObject({ outcome: { text: "One." } });
  });

  test("of several items and parts is in their order, not in that of their arrival", () => {
    const events = [created(), delta("D", 1, 1), delta("A", 0), delta("C", 1, 0), delta("B", 0), bare];

    expect(settled(events)).toMatchObject({ outcome: { text: "ABCD" } });
  });

  test("without indexes goes to the item with its id, or to the latest", () => {
    const events = [
      created(),
      { type: "response.output_item.added", item: { type: "message", id: "a" } },
      { type: "response.output_text.delta", item_id: "a", delta: "A" },
      { type: "response.output_item.added", item: { type: "message", id: "b" } },
      { type: "response.output_text.delta", delta: "C" },
      { type: "response.output_text.delta", item_id: "a", delta: "B" },
      bare,
    ];

    expect(settled(events)).toMatchObject({ outcome: { text: "ABC", kinds: ["message"] } });
  });

  test("is not wiped out by a part announced late", () => {
    const announced = {
      type: "response.content_part.added",
      output_index: 0,
      content_index: 0,
      part: textPart(""),
    };

    expect(settled([created(), delta("One."), announced, bare])).toMatchObject({ outcome: { text: "One." } });
  });

  test("leaves out what reasoning and tools write", () => {
    const events = [
      created(),
      { type: "response.reasoning_text.delta", output_index: 0, content_index: 0, delta: "Hmm" },
      { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "Hmm" },
      { type: "response.function_call_arguments.delta", output_index: 0, delta: "{}" },
      { type: "response.content_part.added", output_index: 0, part: { type: "reasoning_text", text: "Hmm" } },
      delta("Out.", 1),
      bare,
    ];

    expect(settled(events)).toMatchObject({ outcome: { text: "Out." } });
  });
});

describe("a refusal", () => {
  const said = (text: string) => ({
    type: "response.refusal.delta",
    output_index: 0,
    content_index: 0,
    delta: text,
  });

  test("told in deltas is one", () => {
    expect(settled([created(), said("I "), said("can't."), bare])).toMatchObject({
      type: "upstream.refused",
      outcome: { refusal: "I can't.", text: "", fullChars: 8 },
    });
  });

  test("without indexes does not take over the text before it", () => {
    const text = { type: "response.output_text.delta", delta: "Well. " };
    const refusal = { type: "response.refusal.delta", delta: "No." };

    expect(settled([created(), text, refusal, bare])).toMatchObject({
      outcome: { text: "Well. ", refusal: "No." },
    });
  });

  test("told at once is one", () => {
    const done = { type: "response.refusal.done", output_index: 0, content_index: 0, refusal: "No." };

    expect(settled([created(), done, bare])).toMatchObject({
      type: "upstream.refused",
      outcome: { refusal: "No." },
    });
  });

  test("in the final output is one, with the text before it", () => {
    const output = [message(textPart("Well. "), refusalPart("No."))];

    expect(settled([created(), completed({ output })])).toMatchObject({
      type: "upstream.refused",
      outcome: { refusal: "No.", text: "Well. " },
    });
  });

  test("without a word is one", () => {
    expect(settled([created(), completed({ output: [message(refusalPart(""))] })])).toMatchObject({
      type: "upstream.refused",
      outcome: { refusal: "" },
    });
  });

  test("without a word beside an answer is none", () => {
    expect(
      settled([created(), completed({ output: [message(textPart("Yes."), refusalPart(""))] })]),
    ).toMatchObject({
      type: "upstream.completed",
      outcome: { refusal: null, text: "Yes." },
    });
  });

  test("in an incomplete answer leaves it incomplete", () => {
    const fields = { output: [message(refusalPart("No"))], incomplete_details: { reason: "content_filter" } };

    expect(
      settled([created(), { type: "response.incomplete", response: response("incomplete", fields) }]),
    ).toMatchObject({
      type: "upstream.incomplete",
      outcome: { refusal: "No", reason: "content_filter" },
    });
  });
});

describe("the end", () => {
  const byStatus = [
    ["incomplete", "upstream.incomplete"],
    ["failed", "upstream.failed"],
    ["cancelled", "upstream.cancelled"],
    ["completed", "upstream.completed"],
  ] as const;
  test.each(byStatus)("called completed with %s inside is %s", (status, type) => {
    expect(settled([created(), { type: "response.completed", response: response(status) }])).toMatchObject({
      type,
    });
  });

  test.each(byStatus)("called response.done with %s inside is %s", (status, type) => {
    expect(settled([created(), { type: "response.done", response: response(status) }])).toMatchObject({
      type,
    });
  });

  test("called response.done with nothing inside is no end", () => {
    expect(settled([created(), { type: "response.done" }])).toBeNull();
  });

  test("with a status that is no end is what it is called", () => {
    expect(
      settled([created(), { type: "response.failed", response: response("in_progress") }]),
    ).toMatchObject({
      type: "upstream.failed",
    });
  });

  test("without a response is what it is called", () => {
    expect(settled([created(), delta("Hi."), { type: "response.completed" }])).toMatchObject({
      type: "upstream.completed",
      outcome: { text: "Hi.", usage: null },
    });
  });

  test("of an answer nobody gave an id is no answer", () => {
    expect(settled([{ type: "response.completed", response: { status: "completed" } }])).toBeNull();
  });

  test("that failed after an error without saying why has the error's code", () => {
    const events = [
      created(),
      { type: "error", code: "rate_limit_exceeded" },
      { type: "response.failed", response: response("failed") },
    ];

    expect(settled(events)).toMatchObject({ failure: { upstreamCode: "rate_limit_exceeded" } });
  });

  test("that failed without a word has no code", () => {
    const events = [created(), { type: "error" }, { type: "response.failed", response: response("failed") }];

    expect(settled(events)).toMatchObject({ type: "upstream.failed", failure: { code: "upstream_failed" } });
    expect(settled(events)).not.toHaveProperty("failure.upstreamCode");
  });

  test("a status inside an event that is no end ends nothing", () => {
    expect(settled([{ type: "response.created", response: response("completed") }])).toBeNull();
  });
});

describe("what stands beside the text", () => {
  test("usage is upstream's own object", () => {
    const strange = { ...usage, cost_in_usd_ticks: 17, nested: { deep: [1, null] } };

    expect(settled([created(), completed({ usage: strange })])).toMatchObject({
      outcome: { usage: strange },
    });
  });

  test("citations are told once each, by event or in the output", () => {
    const cite = (url: string, title?: string) => ({ type: "url_citation", url, title });
    const told = (annotation: object) => ({
      type: "response.output_text.annotation.added",
      output_index: 0,
      annotation,
    });
    const other = { type: "file_citation", file_id: "f" };

    const events = [
      created(),
      told(cite("https://a.test", "A")),
      told(other),
      told(cite("https://a.test", "A")),
      bare,
    ];
    expect(settled(events)).toMatchObject({
      outcome: { citations: [{ url: "https://a.test", title: "A" }] },
    });

    const output = [message(textPart("x", [cite("https://b.test"), other, cite("https://a.test", "A")]))];
    expect(settled([created(), completed({ output })])).toMatchObject({
      outcome: {
        citations: [
          { url: "https://b.test", title: null },
          { url: "https://a.test", title: "A" },
        ],
      },
    });
  });

  test("kinds name each sort of output once, in order", () => {
    const output = ["reasoning", "web_search_call", "reasoning", "message"].map((type) => ({ type }));

    expect(settled([created(), completed({ output })])).toMatchObject({
      outcome: { kinds: ["reasoning", "web_search_call", "message"] },
    });
    expect(settled([created(), ...output.map((item, at) => itemAdded(at, item)), bare])).toMatchObject({
      outcome: { kinds: ["reasoning", "web_search_call", "message"] },
    });
  });

  test("a predecessor that is not one printable word is not repeated: it could be anybody's text", () => {
    for (const odd of ["Dear Sir, your prompt was", "x".repeat(513), "", 7])
      expect(soFar([created({ previous_response_id: odd })])?.echo).not.toHaveProperty("previousResponseId");
  });

  test("what upstream did with our options is what it said last, and silence where it said nothing", () => {
    const silent = { type: "response.created", response: { id: responseId } };

    expect(soFar([silent])?.echo).toEqual({});
    expect(
      soFar([created({ store: false, background: false, previous_response_id: "resp_0" })])?.echo,
    ).toEqual({
      store: false,
      background: false,
      previousResponseId: "resp_0",
    });
    expect(soFar([created({ store: true }), completed({ store: false })])?.echo).toMatchObject({
      store: false,
    });
  });
});

describe("limits", () => {
  test("a text that fits is whole", () => {
    expect(
      settled([created(), completed({ output: [message(textPart("é".repeat(50)))] })], 100),
    ).toMatchObject({
      outcome: { text: "é".repeat(50), fullChars: 50, truncated: false },
    });
  });

  test("a text that does not is cut between characters, and says how long it was", () => {
    const text = `a${"🎟️".repeat(30)}`;

    expect(settled([created(), completed({ output: [message(textPart(text))] })], 25)).toMatchObject({
      outcome: { text: "a🎟️🎟️🎟️", fullChars: text.length, truncated: true },
    });
  });

  test("so is one that came in deltas, and no more of it is held", () => {
    const events = [created(), ...Array.from({ length: 100 }, () => delta("0123456789")), bare];

    expect(drafted(events, 25)).toMatchObject({ chars: 1_000, kept: 25 });
    expect(settled(events, 25)).toMatchObject({
      outcome: { text: "0123456789012345678901234".slice(0, 25), fullChars: 1_000, truncated: true },
    });
  });

  test("a refusal is cut as well, and text gets what it leaves", () => {
    const output = [message(textPart("t".repeat(50)), refusalPart("r".repeat(20)))];

    expect(settled([created(), completed({ output })], 30)).toMatchObject({
      outcome: { refusal: "r".repeat(20), text: "t".repeat(10), fullChars: 20, truncated: true },
    });
  });

  test("items and parts without end are not held without end", () => {
    const many = Array.from({ length: 3_000 }, (_, at) => [
      itemAdded(at, { type: "message" }),
      delta("x", at),
    ]).flat();
    const draft = drafted([created(), ...many]);

    expect(draft.items.length).toBeLessThanOrEqual(1_000);
    expect(draft.parts.length).toBeLessThanOrEqual(1_000);
    expect(draft.gap).toBe(true);
  });

  test("a usage object of a size that none has is left out", () => {
    expect(settled([created(), completed({ usage: { pad: "x".repeat(20_000) } })])).toMatchObject({
      outcome: { usage: null },
    });
  });
});

describe("numbers", () => {
  test("are the highest heard", () => {
    expect(drafted(numbered([created(), delta("a"), delta("b")])).after).toBe(2);
  });

  test("that are missing leave no place to resume from", () => {
    expect(drafted([created(), delta("a")]).after).toBeNull();
  });

  test("that are skipped show that something was missed", () => {
    expect(drafted(numbered([created(), delta("a"), delta("b")]).toSpliced(1, 1)).gap).toBe(true);
  });

  test("that are all the same hide nothing on a first hearing", () => {
    const same = answer("One ", "two.").map((event) => ({ ...event, sequence_number: 0 }));

    expect(settled(same)).toMatchObject({ outcome: { text: "One two." } });
  });
});

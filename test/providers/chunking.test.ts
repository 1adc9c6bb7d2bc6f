/** How bytes arrive says nothing: any cut and any line ends give the same reports. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyDraft } from "../../src/providers/openai/draft.ts";
import { outcomeOf } from "../../src/providers/openai/outcome.ts";
import { reduce } from "../../src/providers/openai/reduce.ts";
import { readEvent } from "../../src/providers/openai/upstream.ts";
import { framedBody } from "../../src/providers/upstream/framed-body.ts";
import { sayInPieces, serve } from "./support/byte-server.ts";
import { answer, delta, numbered, refusalPart, response, responseId, sse } from "./support/events.ts";
import { all, never, paidCall, providerAt } from "./support/provider.ts";

const words = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 12,
});

/** Streams of every ending, some of them without one. */
const streams = words.chain((deltas) => {
  const told = answer(...deltas);
  const failed = {
    type: "response.failed",
    response: response("failed", { error: { code: "server_error" } }),
  };
  const refused = {
    type: "response.completed",
    response: response("completed", { output: [{ type: "message", content: [refusalPart("No.")] }] }),
  };
  return fc.constantFrom(
    told,
    told.slice(0, -1),
    numbered([...told.slice(0, -1), failed]),
    numbered([...told.slice(0, -1), refused]),
    told.map(({ sequence_number: _, ...event }) => event),
  );
});

const lineEnds = fc.constantFrom("\n", "\r\n", "\r");
const cutSizes = fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1, maxLength: 20 });

/** Cuts bytes into pieces whose sizes come round again and again. */
function cutUp(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

describe("any chunking and any line ends", () => {
  test("give the same reports through the whole path", async () => {
    await fc.assert(
      fc.asyncProperty(streams, lineEnds, cutSizes, async (events, lineEnd, sizes) => {
        const whole = sse(events);
        const plain = await serve(sayInPieces([Buffer.from(whole)]));
        const odd = await serve(sayInPieces(cutUp(Buffer.from(whole.replaceAll("\n", lineEnd)), sizes)));

        const expected = await all(providerAt(plain.url).send(paidCall(), never));

        expect(await all(providerAt(odd.url).send(paidCall(), never))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  test("give the same bytes to the SDK, in whole events", async () => {
    await fc.assert(
      fc.asyncProperty(streams, lineEnds, cutSizes, async (events, lineEnd, sizes) => {
        const whole = sse(events);
        const pieces = cutUp(Buffer.from(whole.replaceAll("\n", lineEnd)), sizes);

        const handed = [];
        for await (const bytes of framedBody(toStream(pieces), 100_000, () => undefined))
          handed.push(String(bytes));

        expect(handed.join("")).toBe(whole);
        expect(handed.every((bytes) => bytes.endsWith("\n\n"))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("any place to break off and resume", () => {
  test("gives the text whole, whatever is heard twice", async () => {
    await fc.assert(
      fc.property(words, fc.nat(), fc.nat(), (deltas, breakAt, repeat) => {
        const events = numbered([
          ...answer(...deltas).slice(0, -1),
          { type: "response.completed", response: { id: responseId } },
        ]);
        const heard = breakAt % events.length;
        const repeated = Math.min(heard, repeat % (heard + 1));
        const limit = 10_000;

        const first = events
          .slice(0, heard)
          .map(readEvent)
          .reduce((draft, event) => reduce(draft, event, limit), emptyDraft());
        const resumed = { ...first, heardThrough: first.after };
        const draft = events
          .slice(heard - repeated)
          .map(readEvent)
          .reduce((so, event) => reduce(so, event, limit), resumed);

        expect(draft.gap).toBe(false);
        expect(outcomeOf(draft, limit, null)?.text).toBe(deltas.join(""));
      }),
      { numRuns: 300 },
    );
  });
});

describe("any stream", () => {
  test("is survived by the reducer, and never invents an ending", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), oddEvents())), (events) => {
        const draft = events.map(readEvent).reduce((so, event) => reduce(so, event, 100), emptyDraft());

        expect(draft.kept).toBeLessThanOrEqual(100);
        expect(draft.ending).toBeNull();
      }),
      { numRuns: 300 },
    );
  });
});

/** Events with known names and anything inside, none of them an end. */
function oddEvents() {
  const anything = fc.option(fc.jsonValue(), { nil: undefined });
  return fc.record({
    type: fc.constantFrom(
      "response.created",
      "response.output_item.added",
      "response.output_item.done",
      "response.content_part.added",
      "response.content_part.done",
      delta("").type,
      "response.output_text.done",
      "response.refusal.delta",
      "response.output_text.annotation.added",
      "error",
      "keepalive",
    ),
    sequence_number: anything,
    output_index: anything,
    content_index: anything,
    item_id: anything,
    item: anything,
    part: anything,
    annotation: anything,
    delta: anything,
    text: anything,
    response: anything,
  });
}

async function* toStream(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

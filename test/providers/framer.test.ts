/** Bytes to whole events. */
import { describe, expect, test } from "vitest";
import { flattenError } from "../../src/providers/openai/flat-error.ts";
import { createFramer } from "../../src/providers/upstream/framer.ts";
import { Oversized } from "../../src/providers/upstream/oversized.ts";

function framed(chunks: readonly (string | Uint8Array)[], limit = 1_000) {
  const framer = createFramer(limit);
  const events = chunks.flatMap((chunk) => framer.push(Buffer.from(chunk)));
  return { events: events.map(String), last: framer.end()?.toString() ?? null };
}

describe("a stream of bytes is cut into events", () => {
  test("however it arrives", () => {
    expect(framed(["data: 1\n\ndata: 2\n", "\nda", "ta: 3", "\n\n"])).toEqual({
      events: ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"],
      last: null,
    });
  });

  test("with LF line ends, whatever it uses, a pair split between chunks included", () => {
    expect(framed(["a\r\nb\r\n\r", "\nc\rd\r", "\re\n", "\r\n"]).events).toEqual([
      "a\nb\n\n",
      "c\nd\n\n",
      "e\n\n",
    ]);
  });

  test("at once, where CR ends its lines: nothing waits for a line feed that may never come", () => {
    expect(framed(["data: 1\r\r"]).events).toEqual(["data: 1\n\n"]);
  });

  test("without the byte order mark it may begin with, and with any it has later", () => {
    const mark = "\ufeff";
    const bytes = Buffer.from(`${mark}data: 1\n\ndata: ${mark}2\n\n`);
    expect(framed([...bytes].map((byte) => Uint8Array.of(byte))).events).toEqual([
      "data: 1\n\n",
      `data: ${mark}2\n\n`,
    ]);
  });

  test("the last of which gets the blank line it lacks", () => {
    expect(framed(["data: 1\n\ndata: 2"]).last).toBe("data: 2\n\n");
    expect(framed(["data: 1\n\ndata: 2\n"]).last).toBe("data: 2\n\n");
    expect(framed(["data: 1\n\ndata: 2\r"]).last).toBe("data: 2\n\n");
  });
});

describe("one event has a limit", () => {
  const event = (bytes: number) => `${"x".repeat(bytes - 2)}\n\n`;

  test("which it may reach, and many together exceed", () => {
    expect(framed([event(100), event(100), event(100)], 100).events).toHaveLength(3);
  });

  test.each([
    ["in one piece", [event(101)]],
    ["in several", ["x".repeat(60), "x".repeat(60)]],
    ["after others", [event(50) + event(101)]],
    ["in comments without end", Array.from({ length: 60 }, () => ":\n:")],
  ])("which it may not exceed %s", (_, chunks) => {
    expect(() => framed(chunks, 100)).toThrow(Oversized);
  });
});

describe("an error event", () => {
  const nested = { type: "error", sequence_number: 2, error: { type: "t", code: "c", message: "words" } };
  const uncoded = { type: "error", sequence_number: 2, error: { type: "c", code: null, message: "words" } };
  const flat = { type: "error", sequence_number: 2, code: "c", message: "words", param: null };
  const openings = ["event: error\n", "event:error\n", ""];

  test.each(openings.flatMap((opening) => [nested, uncoded, flat].map((event) => [opening, event] as const)))(
    "after %j, told as %j, is flat, without its name and its words",
    (opening, event) => {
      const bytes = Buffer.from(`${opening}data: ${JSON.stringify(event)}\n\n`);

      expect(flattenError(bytes).toString()).toBe(
        'data: {"type":"error","sequence_number":2,"code":"c"}\n\n',
      );
    },
  );

  test.each([
    "event: error\ndata: nonsense\n\n",
    "event: error\n\n",
    'event: response.output_text.delta\ndata: {"error":"in the text"}\n\n',
    ": comment\n\n",
  ])("%j is none and stays as it is", (event) => {
    expect(flattenError(Buffer.from(event)).toString()).toBe(event);
  });
});

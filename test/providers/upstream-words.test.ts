/** The small readers of what others say: delays, codes, causes. */
import { Agent, request } from "undici";
import { describe, expect, onTestFinished, test } from "vitest";
import { cut } from "../../src/providers/upstream/cut.ts";
import { identifier } from "../../src/providers/upstream/identifier.ts";
import { observed } from "../../src/providers/upstream/observed.ts";
import { retryAfterMs } from "../../src/providers/upstream/retry-after.ts";
import { systemCause } from "../../src/providers/upstream/system-cause.ts";
import { serve } from "./support/byte-server.ts";

describe("a delay asked for", () => {
  const now = Date.parse("Mon, 01 Jun 2026 12:00:00 GMT");
  const asked: [Record<string, string>, number | null][] = [
    [{}, null],
    [{ "retry-after": "2" }, 2_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "1.5" }, 1_500],
    [{ "retry-after-ms": "50" }, 50],
    [{ "retry-after-ms": "50", "retry-after": "2" }, 50],
    [{ "retry-after-ms": "soon", "retry-after": "2" }, 2_000],
    [{ "retry-after": "Mon, 01 Jun 2026 12:00:07 GMT" }, 7_000],
    [{ "retry-after": "Mon, 01 Jun 2026 11:00:00 GMT" }, 0],
    [{ "retry-after": "Mon, 01 Jun 2026 09:00:07 GMT", date: "Mon, 01 Jun 2026 09:00:00 GMT" }, 7_000],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "-5" }, null],
    [{ "retry-after": "99999999999999999999" }, null],
  ];
  test.each(asked)("%j is %j", (headers, ms) => {
    expect(retryAfterMs(new Headers(headers), now)).toBe(ms);
  });
});

describe("a code or a parameter", () => {
  test.each(["unsupported_parameter", "text.format", "tools[0].parameters", "a/b:c", "$ref", 404])(
    "%j may be told",
    (word) => {
      expect(identifier(word, 128)).toBe(String(word));
    },
  );

  test.each(["", "two words", "line\nbreak", "naïve", "<b>", "'quoted'", "-x", null, undefined, {}, true])(
    "%j may be anything, and is not told",
    (word) => {
      expect(identifier(word, 128)).toBeUndefined();
    },
  );

  test("that is too long is not told in part", () => {
    expect(identifier("x".repeat(64), 64)).toBe("x".repeat(64));
    expect(identifier("x".repeat(65), 64)).toBeUndefined();
  });
});

describe("a system's cause", () => {
  const coded = (code: string, options?: ErrorOptions) => Object.assign(new Error("x", options), { code });

  test("is found down the chain, and among the addresses tried", () => {
    expect(systemCause(coded("ECONNRESET"))).toBe("ECONNRESET");
    expect(systemCause(new TypeError("fetch failed", { cause: coded("ENOTFOUND") }))).toBe("ENOTFOUND");
    expect(
      systemCause(
        new TypeError("fetch failed", { cause: new AggregateError([new Error("x"), coded("ECONNREFUSED")]) }),
      ),
    ).toBe("ECONNREFUSED");
  });

  test("is none where there is none, in a circle too", () => {
    const circle = new Error("x");
    circle.cause = circle;

    expect(systemCause(circle)).toBeUndefined();
    expect(systemCause("ECONNRESET")).toBeUndefined();
  });
});

describe("a text cut to bytes", () => {
  test.each([
    ["abc", 3, "abc"],
    ["abc", 2, "ab"],
    ["aé", 2, "a"],
    ["a🎟", 4, "a"],
    ["a🎟", 5, "a🎟"],
    ["", 0, ""],
    ["abc", 0, ""],
  ])("%j at %i is %j", (text, bytes, kept) => {
    expect(cut(text, bytes)).toBe(kept);
  });
});

describe("an observed socket", () => {
  test("writes nothing once the call is no longer wanted", async () => {
    const server = await serve((response) => response.end());
    const agent = new Agent({ pipelining: 0 });
    onTestFinished(() => agent.close());
    const said: string[] = [];
    const events = {
      wanted: () => false,
      leaving: () => said.push("leaving"),
      heard: () => said.push("heard"),
    };

    await expect(request(server.url, { dispatcher: observed(agent, events) })).rejects.toThrow();

    expect(server.seen).toEqual([]);
    expect(said).toEqual([]);
  });
});

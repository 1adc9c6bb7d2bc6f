import { describe, expect, test } from "vitest";
import { requestStates, stateCards } from "../../machines/states.ts";
import { duration, type RailStyle, rail } from "../../src/chart/rail.ts";
import type { JournalView } from "../../src/contract/views.ts";

const plain: RailStyle = { width: 80, ascii: false, paint: (_tone, text) => text };
const start = Date.parse("2026-11-30T10:00:00.000Z");

function row(
  afterMs: number,
  event: string,
  state: JournalView["state"],
  more: Partial<JournalView> = {},
): JournalView {
  return {
    seq: 0,
    note: 0,
    event,
    state,
    at: new Date(start + afterMs).toISOString(),
    process: "100-aaaa",
    payload: {},
    ...more,
  };
}

const killed: JournalView[] = [
  row(0, "request.claimed", "claimed"),
  row(1_200, "upstream.accepted", "streaming"),
  row(31_200, "lease.expired", "recovery_required", {
    process: "200-bbbb",
    payload: { cause: "owner_lost" },
  }),
  row(31_300, "retrieval.faulted", "recovery_required", {
    process: "200-bbbb",
    note: 1,
    payload: { failure: { code: "rate_limited" } },
  }),
  row(33_200, "upstream.completed", "completed", { process: "200-bbbb" }),
];

describe("the rail of a request", () => {
  test("shows the states it was in, what moved it and how long each step took", () => {
    expect(rail(killed, plain)).toEqual([
      "◌─ claimed                                  10:00:00.000Z  process 100-aaaa",
      "│  upstream.accepted                           +1.2 s  ━",
      "◐─ streaming",
      "╪  another process: 200-bbbb",
      "│  lease.expired (owner_lost)                 +30.0 s  ━━━━━━━━━━━━━━━━━━━━━━━━",
      "↻─ recovery_required",
      "┆  note: retrieval.faulted (rate_limited)     +100 ms",
      "│  upstream.completed                          +2.0 s  ━━",
      "●─ completed",
    ]);
  });

  test("names a state once, however much happens in it", () => {
    const lines = rail([...killed.slice(0, 2), row(2_000, "caller.cancelled", "streaming")], plain);
    expect(lines.filter((line) => line.includes("streaming"))).toHaveLength(1);
  });

  test("keeps within its width, whatever the events are called", () => {
    const long = row(5, `upstream.${"x".repeat(90)}`, "failed", { process: "p".repeat(20) });
    for (const width of [60, 80, 100]) {
      const lines = rail([...killed, long], { ...plain, width });
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    }
  });

  test("is plain ASCII when asked to be, with a glyph of its own for each state", () => {
    const journal = requestStates.map((state, index) => row(index, "some.event", state, { note: 0 }));
    const lines = rail([...journal, ...killed], { ...plain, ascii: true });
    expect(lines.join("\n")).toMatch(/^[\x20-\x7e\n]+$/);
    expect(new Set(requestStates.map((state) => stateCards[state].ascii)).size).toBe(requestStates.length);
  });

  test("dims notes and colours states", () => {
    const lines = rail(killed, { ...plain, paint: (tone, text) => `<${tone}>${text}` });
    expect(lines.find((line) => line.includes("note:"))).toMatch(/^<dim>/);
    expect(lines.at(-1)).toMatch(/^<good>/);
    expect(lines.find((line) => line.includes("recovery_required"))).toMatch(/^<bad>/);
  });

  test("never runs backwards when two clocks disagree", () => {
    const lines = rail(
      [row(1_000, "request.claimed", "claimed"), row(0, "lease.expired", "unknown_outcome")],
      plain,
    );
    expect(lines[1]).toContain("+0 ms");
  });

  test("of nothing is nothing", () => {
    expect(rail([], plain)).toEqual([]);
  });
});

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_299, "1.2 s"],
  [59_999, "59.9 s"],
  [200_000, "3 min 20 s"],
  [7_500_000, "2 h 5 min"],
  [273_600_000, "3 d 4 h"],
])("%d ms reads as %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

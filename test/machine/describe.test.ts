import { expect, describe as group, test } from "vitest";
import { createMachine, setup } from "xstate";
import { describe, leaving } from "../../src/chart/describe.ts";
import { requestChart } from "../../src/chart/request-picture.ts";

const never = () => {
  throw new Error("A description runs nothing.");
};

group("a description", () => {
  test("runs no guard, no action and no parameter", () => {
    const machine = setup({
      guards: { may: (_, __: { of: number }) => never() },
      actions: { act: (_, __: { of: number }) => never() },
    }).createMachine({
      context: never,
      initial: "a",
      states: {
        a: {
          entry: { type: "act", params: never },
          on: {
            go: {
              guard: { type: "may", params: never },
              actions: { type: "act", params: { of: 2 } },
              target: "b",
            },
          },
        },
        b: { type: "final" },
      },
    });
    const { states, transitions } = describe(machine);
    expect(states[0]?.entry).toEqual([{ type: "act" }]);
    expect(transitions).toEqual([
      {
        from: "a",
        event: "go",
        index: 0,
        guard: { type: "may" },
        actions: [{ type: "act", params: { of: 2 } }],
        target: "b",
      },
    ]);
  });

  test("is plain data", () => {
    expect(JSON.parse(JSON.stringify(requestChart))).toEqual(requestChart);
  });

  test("tells the candidates of an event apart, in their order", () => {
    const lost = leaving(requestChart, "streaming").filter(({ event }) => event === "upstream.lost");
    expect(lost.map(({ index, guard, target }) => [index, guard?.type, target])).toEqual([
      [0, "canBeAsked", "recovery_required"],
      [1, undefined, "unknown_outcome"],
    ]);
  });

  test("shows handlers on the root too, since a machine of ours must have none", () => {
    const machine = createMachine({ initial: "a", states: { a: {} }, on: { any: ".a" } });
    expect(leaving(describe(machine), "")).toMatchObject([{ event: "any", target: "a" }]);
  });

  test("names a state by its path, and its parent by the same", () => {
    const sending = requestChart.states.find(({ name }) => name === "sending");
    expect(sending).toMatchObject({ path: "claimed.sending", parent: "claimed", type: "atomic" });
    expect(requestChart.initial).toBe("claimed");
  });
});

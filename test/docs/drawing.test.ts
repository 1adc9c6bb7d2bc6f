import { expect, describe as group, test } from "vitest";
import { createMachine } from "xstate";
import { condense, junctionId } from "../../src/chart/condense.ts";
import { describe } from "../../src/chart/describe.ts";
import { overlaps } from "../../src/chart/geometry.ts";
import { placeLegend } from "../../src/chart/legend.ts";
import { mermaid } from "../../src/chart/mermaid.ts";
import { requestDrawing } from "../../src/chart/request-picture.ts";
import { wrap } from "../../src/chart/text-box.ts";

group("a drawing", () => {
  const guard = () => true;
  const { nodes, arrows } = condense(
    describe(
      createMachine({
        initial: "a",
        states: {
          a: {
            tags: ["live"],
            on: {
              ask: [{ guard: "may", target: "b" }, { guard: "might", target: "b" }, { target: "c" }],
              hear: { guard: "may", target: "b" },
              stay: { actions: "note" },
              end: "z",
            },
          },
          b: { on: { end: "z", go: [{ guard, target: "a" }, { target: "a" }] } },
          c: { initial: "inner", tags: ["live"], states: { inner: {} }, on: { end: "z" } },
          z: { type: "final" },
        },
      }),
    ),
    new Map([["a", "◌"]]),
  );
  const labelOf = (id: string) => arrows.find((arrow) => arrow.id === id)?.label;

  test("has one arrow between two states, and says when each event takes it", () => {
    expect(labelOf("a -> b")).toEqual(["ask", "[may or might]", "hear", "[may]"]);
    expect(labelOf("a -> c")).toEqual(["ask", "[else]"]);
    expect(labelOf("b -> a")).toEqual(["go"]);
  });

  test("draws an event that many states share through a junction, once", () => {
    expect(arrows.filter(({ to }) => to === junctionId).map(({ from, label }) => [from, label])).toEqual([
      ["a", []],
      ["b", []],
      ["c", []],
    ]);
    expect(labelOf(`${junctionId} -> z`)).toEqual(["end"]);
  });

  test("puts what stays inside its state, and what a child has not comes from its parent", () => {
    expect(nodes.find(({ id }) => id === "a")).toMatchObject({
      title: "◌ a",
      stays: ["stay"],
      initial: true,
    });
    expect(nodes.find(({ id }) => id === "c.inner")).toMatchObject({
      phase: "live",
      parent: "c",
      initial: true,
    });
  });
});

group("a legend", () => {
  const legend = { title: "What it means", entries: [{ sign: "x", text: "nothing" }] };
  const page = { width: 400, height: 300 };

  test("goes into the first corner that is free", () => {
    const taken = [{ x: 200, y: 0, width: 200, height: 100 }];
    const placed = placeLegend(legend, page, taken);
    expect(placed.height).toBe(page.height);
    expect(placed.legend).toMatchObject({ x: expect.any(Number), y: 300 - placed.legend.height - 14 });
    expect(taken.some((box) => overlaps(box, placed.legend))).toBe(false);
  });

  test("makes the page taller where no corner is", () => {
    const placed = placeLegend(legend, page, [{ x: 0, y: 0, ...page }]);
    expect(placed.legend.y).toBe(page.height);
    expect(placed.height).toBeGreaterThan(page.height + placed.legend.height);
  });
});

group("the same as Mermaid text", () => {
  const lines = mermaid(requestDrawing)
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());

  test("has every arrow, in words Mermaid takes", () => {
    expect(lines[0]).toBe("stateDiagram-v2");
    for (const line of lines.slice(1)) {
      expect(line).toMatch(
        /^(\w+|\}|state \w+ (\{|<<choice>>)|(\[\*\]|\w+) --> (\[\*\]|\w+)( : [\w .,[\]]+)?)$/,
      );
    }
    const drawn = lines.filter((line) => line.includes("-->") && !line.includes("[*]"));
    const staying = requestDrawing.nodes.filter(({ stays }) => stays.length > 0);
    expect(drawn.length).toBe(requestDrawing.arrows.length + staying.length);
  });

  test("opens claimed around its substates and begins at the claim", () => {
    const inner = lines.slice(lines.indexOf("state claimed {"), lines.indexOf("}"));
    expect(lines[1]).toBe("[*] --> claimed");
    expect(inner).toContain("[*] --> sending");
    expect(inner.filter((line) => line.startsWith("deferred --> sending : retry.due"))).toHaveLength(1);
  });
});

group("text in a box", () => {
  test("breaks at spaces and keeps every word", () => {
    const text = "The answer exists or is being made upstream";
    expect(wrap(text, 12)).toEqual(["The answer", "exists or is", "being made", "upstream"]);
    expect(wrap("unbreakable words", 5)).toEqual(["unbreakable", "words"]);
  });
});

import { readFileSync } from "node:fs";
import elk from "elkjs/lib/elk.bundled.js";
import { expect, describe as group, test } from "vitest";
import { keyOf } from "../../src/chart/condense.ts";
import { type Box, contains, overlaps, stretches } from "../../src/chart/geometry.ts";
import committed from "../../src/chart/layout.request.json" with { type: "json" };
import { type Layout, layOut, type PlacedNode } from "../../src/chart/layout.ts";
import { palette } from "../../src/chart/palette.ts";
import {
  requestCaption,
  requestChart,
  requestDrawing,
  requestLegend,
} from "../../src/chart/request-picture.ts";
import { svg } from "../../src/chart/svg.ts";
import { sizes, widthOf } from "../../src/chart/text-box.ts";

const layout: Layout = committed;
const { nodes, arrows, legend } = layout;
const labels = arrows.flatMap(({ id, label }) => (label === null ? [] : [{ id, ...label }]));
const lines = arrows.flatMap(({ id, from, to, points }) =>
  stretches(points).map((box) => ({ id, from, to, box })),
);
const picture = readFileSync(new URL("../../machines/request.svg", import.meta.url), "utf8");

group("the picture of a request's life", () => {
  test("is the machine's: laid out and drawn again, it is the one committed", async () => {
    const anew = await layOut(requestDrawing, requestLegend, (graph) => new elk.default().layout(graph));
    expect(anew).toEqual(layout);
    expect(svg(anew, requestCaption, palette)).toBe(picture);
  });

  test("leaves out no transition", () => {
    const drawn = new Set(arrows.flatMap(({ stands }) => stands));
    const staying = new Set(nodes.flatMap(({ id, stays }) => stays.map((line) => `${id} ${line.slice(2)}`)));
    const missing = requestChart.transitions.filter((transition) =>
      transition.target === null
        ? !staying.has(`${transition.from} ${transition.event}`)
        : !drawn.has(keyOf(transition)),
    );
    expect(missing).toEqual([]);
  });

  test("has no two labels on each other, and none on a state", () => {
    expect(pairs(labels).filter(([one, other]) => overlaps(one, other))).toEqual([]);
    const onStates = labels.flatMap((label) =>
      nodes.filter((node) => overlaps(label, node) && !contains(node, label)),
    );
    expect(onStates).toEqual([]);
  });

  test("has no line through a label but its own", () => {
    expect(
      lines.flatMap((line) => labels.filter(({ id, ...box }) => id !== line.id && overlaps(line.box, box))),
    ).toEqual([]);
    for (const label of labels) {
      expect(lines.some(({ id, box }) => id === label.id && overlaps(box, label))).toBe(true);
    }
  });

  test("has no line through a state it neither leaves nor enters", () => {
    const through = lines.flatMap(({ id, from, to, box }) =>
      nodes
        .filter((node) => overlaps(box, node) && ![from, to].some((end) => isWithin(end, node.id)))
        .map((node) => `${id} runs through ${node.id}`),
    );
    expect(through).toEqual([]);
  });

  test("has only upright and level lines", () => {
    expect(lines.filter(({ box }) => box.width > 0 && box.height > 0)).toEqual([]);
  });

  test("keeps every text inside its box", () => {
    for (const node of nodes) {
      const rows = [...node.sentence, ...node.stays];
      const widest = Math.max(
        widthOf(node.title, sizes.title),
        ...rows.map((row) => widthOf(row, sizes.text)),
      );
      expect(widest + 2 * sizes.inset).toBeLessThanOrEqual(node.width);
      if (node.kind !== "junction") expect(bottomOfText(node)).toBeLessThan(node.y + node.height);
      for (const child of nodes.filter(({ parent }) => parent === node.id))
        expect(bottomOfText(node)).toBeLessThan(child.y);
    }
    for (const { lines: rows, width } of labels) {
      expect(Math.max(...rows.map((row) => widthOf(row, sizes.text)))).toBeLessThanOrEqual(width);
    }
  });

  test("shows claimed around its two substates, what is first on top, the finals in one row at the bottom", () => {
    const claimed = nodeAt("claimed");
    for (const child of ["claimed.sending", "claimed.deferred"])
      expect(contains(claimed, nodeAt(child))).toBe(true);
    expect(Math.min(...nodes.map(({ y }) => y))).toBe(claimed.y);
    const finals = nodes.filter(({ kind }) => kind === "final");
    expect(new Set(finals.map(({ y, height }) => `${y} ${height}`)).size).toBe(1);
    expect(Math.max(...nodes.map(({ y }) => y))).toBe(finals[0]?.y);
  });

  test("explains itself where nothing else is, on a page no wider than a README", () => {
    const taken: Box[] = [...nodes, ...labels, ...lines.map(({ box }) => box)];
    expect(taken.filter((box) => overlaps(legend, box))).toEqual([]);
    expect(contains({ x: 0, y: 0, ...layout }, legend)).toBe(true);
    expect(layout.width).toBeLessThanOrEqual(1_024);
  });

  test("is an image with words for those who cannot see it, and needs nothing from elsewhere", () => {
    expect(picture).toMatch(/^<svg [^>]*role="img" aria-label="The life of a request\. /);
    for (const { name } of requestChart.states.filter(({ parent }) => parent === null)) {
      expect(picture.slice(0, picture.indexOf(">"))).toContain(`${name}: `);
    }
    expect(picture).not.toMatch(/<script|href=|url\(|@import|@font-face/);
  });
});

function nodeAt(id: string): PlacedNode {
  const node = nodes.find((candidate) => candidate.id === id);
  if (node === undefined) throw new Error(`The picture has no ${id}.`);
  return node;
}

function isWithin(id: string, ancestor: string): boolean {
  return id === ancestor || id.startsWith(`${ancestor}.`);
}

function bottomOfText({ y, sentence, stays }: PlacedNode): number {
  return (
    y +
    sizes.titleLead +
    (sentence.length + stays.length) * sizes.lead +
    (stays.length > 0 ? sizes.gap : 0) +
    4
  );
}

function pairs<T>(all: readonly T[]): [T, T][] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other): [T, T] => [one, other]));
}

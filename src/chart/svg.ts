/** A placed chart as SVG: pure text, no DOM, no script, no font or style from elsewhere. */
import { type Box, distance, type Point, towards } from "./geometry.ts";
import type { Layout, PlacedArrow, PlacedNode } from "./layout.ts";
import { type PlacedLegend, swatchWidth } from "./legend.ts";
import { sizes } from "./text-box.ts";

/** What a picture says of itself to those who cannot see it. */
export interface Caption {
  title: string;
  description: string;
}

const cornerRadius = 6;
const head = { length: 8, half: 4 };

/** @param style rules for the classes used here, see `palette.ts` */
export function svg(layout: Layout, caption: Caption, style: string): string {
  const { width, height } = layout;
  const spoken = escaped(`${caption.title}. ${caption.description}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${spoken}">`,
    `<title>${escaped(caption.title)}</title>`,
    `<style>${style}</style>`,
    `<rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>`,
    ...layout.nodes.map(nodeBox),
    ...layout.arrows.map(line),
    ...layout.arrows.map((arrow) => label(arrow, layout.nodes)),
    ...layout.nodes.map(nodeText),
    legend(layout.legend),
    "</svg>",
    "",
  ].join("\n");
}

function nodeBox(node: PlacedNode): string {
  const { x, y, width, height, kind, phase } = node;
  const outline = `<rect class="${kind} ${phase}" ${place(node)} rx="${kind === "junction" ? height / 2 : 8}"/>`;
  const rim = { x: x + 3, y: y + 3, width: width - 6, height: height - 6 };
  const inner = kind === "final" ? `<rect class="rim" ${place(rim)} rx="5.5"/>` : "";
  return outline + inner + (node.initial ? initialMark(node) : "");
}

/** The dot that says where one begins: above the machine's first state, beside a parent's. */
function initialMark({ parent, x, y }: PlacedNode): string {
  const [from, to] =
    parent === null
      ? [
          { x: x + 24, y: y - 18 },
          { x: x + 24, y },
        ]
      : [
          { x: x - 18, y: y + 18 },
          { x, y: y + 18 },
        ];
  return `<circle class="mark" cx="${from.x}" cy="${from.y}" r="4"/>${stroke([from, to])}`;
}

function nodeText(node: PlacedNode): string {
  const { x, y, width, height, sentence } = node;
  if (node.kind === "junction")
    return text("name middle", { x: x + width / 2, y: y + height / 2 + 4.5 }, node.title);
  const left = x + sizes.inset;
  const base = y + sizes.titleLead + 3;
  return [
    text("name", { x: left, y: y + sizes.titleLead }, node.title),
    ...sentence.map((row, index) => text("sentence", { x: left, y: base + (index + 1) * sizes.lead }, row)),
    ...node.stays.map((row, index) =>
      text("aside", { x: left, y: base + sizes.gap + (sentence.length + index + 1) * sizes.lead }, row),
    ),
  ].join("");
}

function line({ id, points, stands }: PlacedArrow): string {
  return `<g class="arrow" data-stands="${escaped(stands.join(" · "))}"><title>${escaped(id)}</title>${stroke(points)}</g>`;
}

/** A line with rounded corners that ends in a solid head, drawn out since renderers disagree about markers. */
function stroke(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.at(-2);
  if (tip === undefined || before === undefined) return "";
  const neck = towards(tip, before, head.length);
  const course = [...points.slice(0, -1), neck];
  const turns = course.map((point, index) => corner(point, course[index - 1], course[index + 1]));
  return `<path class="line" d="${turns.join("")}"/><path class="head" d="${headAt(tip, neck)}"/>`;
}

function corner(at: Point, before: Point | undefined, after: Point | undefined): string {
  if (before === undefined) return `M${pair(at)}`;
  if (after === undefined) return `L${pair(at)}`;
  const radius = Math.min(cornerRadius, distance(at, before) / 2, distance(at, after) / 2);
  return `L${pair(towards(at, before, radius))}Q${pair(at)} ${pair(towards(at, after, radius))}`;
}

function headAt(tip: Point, neck: Point): string {
  const across = { x: (tip.y - neck.y) / head.length, y: (neck.x - tip.x) / head.length };
  const side = (sign: number) => ({
    x: neck.x + sign * head.half * across.x,
    y: neck.y + sign * head.half * across.y,
  });
  return `M${pair(tip)}L${pair(side(1))}L${pair(side(-1))}Z`;
}

/** A label interrupts its line, so its backing has the colour of what it stands on. */
function label({ label: box, within }: PlacedArrow, nodes: readonly PlacedNode[]): string {
  if (box === null) return "";
  const ground = nodes.find(({ id }) => id === within);
  const tone = ground === undefined ? "backing" : `backing ${ground.kind} ${ground.phase}`;
  const rows = box.lines.map((row, index) =>
    text(
      row.startsWith("[") ? "aside" : "event",
      { x: box.x + 4, y: box.y + 12.5 + index * sizes.lead },
      row,
    ),
  );
  return `<rect class="${tone}" ${place(box)}/>${rows.join("")}`;
}

function legend({ x, y, title, entries }: PlacedLegend): string {
  const left = x + sizes.inset;
  const rows = entries.map(({ phase, sign, text: says }, index) => {
    const base = y + sizes.titleLead + (index + 1) * (sizes.lead + 4);
    const swatch = { x: left, y: base - 9, width: 22, height: 11 };
    return [
      phase === undefined ? "" : `<rect class="${phase}" ${place(swatch)} rx="3"/>`,
      sign === undefined ? "" : text("aside", { x: left, y: base }, sign),
      text("sentence", { x: left + swatchWidth, y: base }, says),
    ].join("");
  });
  return text("name", { x: left, y: y + sizes.titleLead - 4 }, title) + rows.join("");
}

function place({ x, y, width, height }: Box): string {
  return `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
}

function text(tone: string, at: Point, content: string): string {
  return `<text class="${tone}" x="${number(at.x)}" y="${number(at.y)}">${escaped(content)}</text>`;
}

const pair = ({ x, y }: Point) => `${number(x)} ${number(y)}`;
const number = (px: number) => String(Math.round(px * 100) / 100);

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

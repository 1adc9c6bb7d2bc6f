/**
 * Where everything of a drawing goes. ELK places it once, when the machine changes; the result is committed as
 * plain data, so that neither ELK nor a DOM is needed to show it.
 */
import { type Drawing, type DrawnArrow, type DrawnNode, scopeOf } from "./condense.ts";
import { type ElkEdge, type ElkNode, edgesOf, graphOf, textOf } from "./elk-graph.ts";
import { type Box, type Point, stretches, tenth } from "./geometry.ts";
import { type Legend, type PlacedLegend, placeLegend } from "./legend.ts";

export interface PlacedNode extends Box {
  id: string;
  kind: string;
  phase: string;
  parent: string | null;
  initial: boolean;
  title: string;
  sentence: string[];
  stays: string[];
}

export interface PlacedArrow {
  id: string;
  from: string;
  to: string;
  stands: string[];
  /** Corners of the line, from its tail to its head. */
  points: Point[];
  /** The node it stays inside of, by whose colour the label is backed; null for the paper. */
  within: string | null;
  label: (Box & { lines: string[] }) | null;
}

export interface Layout {
  width: number;
  height: number;
  /** Parents before their children. */
  nodes: PlacedNode[];
  arrows: PlacedArrow[];
  legend: PlacedLegend;
}

/** ELK's own `layout`, given by whoever has it. */
export type Placer = (graph: ElkNode) => Promise<ElkNode>;

/** Places a drawing; the same drawing gives the same layout, number for number. */
export async function layOut(drawing: Drawing, legend: Legend, place: Placer): Promise<Layout> {
  const placed = await place(graphOf(drawing));
  const width = Math.ceil(placed.width ?? 0);
  const nodes = drawing.nodes.map((node) => placeNode(node, placed)).sort(parentsFirst);
  const arrows = drawing.arrows.map((arrow) => placeArrow(arrow, edgesOf(placed), drawing.nodes));
  const taken = [
    ...nodes,
    ...arrows.flatMap(({ points, label }) => [...stretches(points), ...(label ? [label] : [])]),
  ];
  const free = placeLegend(legend, { width, height: Math.ceil(placed.height ?? 0) }, taken);
  return { width, height: free.height, nodes, arrows, legend: free.legend };
}

function placeNode(node: DrawnNode, placed: ElkNode): PlacedNode {
  const { id, kind, phase, parent, initial, title } = node;
  return { id, kind, phase, parent, initial, title, ...textOf(node), ...boxOf(find(placed, id)) };
}

function placeArrow(arrow: DrawnArrow, edges: readonly ElkEdge[], nodes: readonly DrawnNode[]): PlacedArrow {
  const { id, from, to, stands, label: lines } = arrow;
  const edge = edges.find((candidate) => candidate.id === id);
  const [label] = edge?.labels ?? [];
  const points = (edge?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ]);
  return {
    id,
    from,
    to,
    stands,
    points: points.map(upright),
    within: scopeOf(arrow, nodes),
    label: label === undefined ? null : { ...boxOf(label), lines },
  };
}

/** ELK ends some lines half a pixel beside where they began; the eye sees a slant. */
function upright({ x, y }: Point, index: number, points: readonly Point[]): Point {
  const next = points[index + 1];
  const slanted = next !== undefined && x !== next.x && Math.abs(x - next.x) < 1;
  return { x: tenth(slanted ? next.x : x), y: tenth(y) };
}

function find(within: ElkNode, id: string): ElkNode | undefined {
  if (within.id === id) return within;
  return (within.children ?? []).map((child) => find(child, id)).find((found) => found !== undefined);
}

function boxOf(shape: Partial<Box> | undefined): Box {
  const { x = 0, y = 0, width = 0, height = 0 } = shape ?? {};
  return { x: tenth(x), y: tenth(y), width: tenth(width), height: tenth(height) };
}

function parentsFirst(one: PlacedNode, other: PlacedNode): number {
  return Number(one.parent !== null) - Number(other.parent !== null);
}

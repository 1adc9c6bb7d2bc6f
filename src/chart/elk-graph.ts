/** A drawing as ELK wants it: boxes sized by their text, edges with their labels, and how to arrange them. */
import type { ElkExtendedEdge, ElkNode, LayoutOptions } from "elkjs/lib/elk-api.js";
import type { Drawing, DrawnArrow, DrawnNode } from "./condense.ts";
import { sizes, widthOf, wrap } from "./text-box.ts";

export type { ElkExtendedEdge as ElkEdge, ElkNode } from "elkjs/lib/elk-api.js";

const options: LayoutOptions = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.json.edgeCoords": "ROOT",
  "elk.json.shapeCoords": "ROOT",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.randomSeed": "1",
  "elk.layered.thoroughness": "20",
  "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
  "elk.layered.cycleBreaking.strategy": "DEPTH_FIRST",
  "elk.layered.edgeLabels.centerLabelPlacementStrategy": "WIDEST_LAYER",
  "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
  "elk.spacing.nodeNode": "16",
  "elk.spacing.edgeEdge": "10",
  "elk.spacing.edgeNode": "10",
  "elk.layered.spacing.nodeNodeBetweenLayers": "20",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "10",
  "elk.layered.spacing.edgeNodeBetweenLayers": "12",
  "elk.padding": "[top=30,left=14,bottom=14,right=14]",
};

/** Most characters in a line of a node's sentence. */
const columns: Readonly<Record<string, number>> = { compound: 44, final: 21 };
const columnsElsewhere = 27;

export function graphOf({ nodes, arrows }: Drawing): ElkNode {
  const finalHeight = Math.max(0, ...nodes.filter(({ kind }) => kind === "final").map(heightOf));
  const childrenOf = (parent: string | null): ElkNode[] =>
    nodes
      .filter((node) => node.parent === parent)
      .map((node) => ({ id: node.id, ...frameOf(node, finalHeight), children: childrenOf(node.id) }));
  return { id: "root", layoutOptions: options, children: childrenOf(null), edges: arrows.map(edgeOf) };
}

/** ELK leaves every edge where it was given. */
export function edgesOf(placed: ElkNode): ElkExtendedEdge[] {
  return placed.edges ?? [];
}

/** What stands in a node's box below its title. */
export function textOf({ kind, sentence, stays }: DrawnNode): { sentence: string[]; stays: string[] } {
  return {
    sentence: sentence === "" ? [] : wrap(sentence, columns[kind] ?? columnsElsewhere),
    stays: stays.map((event) => `↺ ${event}`),
  };
}

function frameOf(node: DrawnNode, finalHeight: number): Omit<ElkNode, "id"> {
  const layoutOptions = constraintOf(node);
  if (node.kind !== "compound") {
    return {
      layoutOptions,
      width: widthOfNode(node),
      height: node.kind === "final" ? finalHeight : heightOf(node),
    };
  }
  // Room on the left for the mark that shows where the state begins.
  return {
    layoutOptions: {
      ...layoutOptions,
      "elk.padding": `[top=${heightOf(node) + 4},left=30,bottom=14,right=14]`,
    },
  };
}

function widthOfNode(node: DrawnNode): number {
  const { sentence, stays } = textOf(node);
  const rows = [...sentence, ...stays].map((row) => widthOf(row, sizes.text));
  return Math.max(widthOf(node.title, sizes.title), ...rows) + 2 * sizes.inset;
}

function heightOf(node: DrawnNode): number {
  if (node.kind === "junction") return 26;
  const { sentence, stays } = textOf(node);
  const gap = stays.length > 0 ? sizes.gap : 0;
  return sizes.titleLead + sizes.inset + 2 + (sentence.length + stays.length) * sizes.lead + gap;
}

/** Reading order: what comes first on top, what ends it at the bottom, in one row. */
function constraintOf(node: DrawnNode): LayoutOptions {
  if (node.initial) return { "elk.layered.layering.layerConstraint": "FIRST" };
  return node.kind === "final" ? { "elk.layered.layering.layerConstraint": "LAST" } : {};
}

function edgeOf({ id, from, to, label }: DrawnArrow): ElkExtendedEdge {
  return { id, sources: [from], targets: [to], labels: label.length === 0 ? [] : [labelOf(label)] };
}

function labelOf(lines: readonly string[]) {
  return {
    text: lines.join("\n"),
    width: Math.max(...lines.map((line) => widthOf(line, sizes.text))) + 8,
    height: lines.length * sizes.lead + 4,
    layoutOptions: { "elk.edgeLabels.inline": "true", "elk.edgeLabels.placement": "CENTER" },
  };
}

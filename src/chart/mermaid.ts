/** A drawing as Mermaid text, for documents whose readers render it themselves. */
import { type Drawing, type DrawnArrow, type DrawnNode, scopeOf } from "./condense.ts";

/** @returns a `stateDiagram-v2`, without the fence around it */
export function mermaid({ nodes, arrows }: Drawing): string {
  return ["stateDiagram-v2", ...scope(null, nodes, arrows), ""].join("\n");
}

/** A state's children and the arrows among them; arrows that cross a border belong to the outermost scope. */
function scope(parent: string | null, nodes: readonly DrawnNode[], arrows: readonly DrawnArrow[]): string[] {
  const inside = nodes.filter((node) => node.parent === parent);
  const first = inside.filter(({ initial }) => initial).map(({ id }) => `[*] --> ${nameOf(id)}`);
  const within = arrows.filter((arrow) => scopeOf(arrow, nodes) === parent).map(arrowLine);
  const lines = [...first, ...inside.flatMap((node) => nodeLines(node, nodes, arrows)), ...within];
  return lines.map((line) => `    ${line}`);
}

function nodeLines(node: DrawnNode, nodes: readonly DrawnNode[], arrows: readonly DrawnArrow[]): string[] {
  const name = nameOf(node.id);
  if (node.kind === "junction") return [`state ${name} <<choice>>`];
  if (node.kind === "final") return [`${name} --> [*]`];
  if (node.kind === "compound") return [`state ${name} {`, ...scope(node.id, nodes, arrows), "}"];
  return node.stays.length === 0 ? [name] : [`${name} --> ${name} : ${node.stays.join(", ")}`];
}

function arrowLine({ from, to, label }: DrawnArrow): string {
  const line = `${nameOf(from)} --> ${nameOf(to)}`;
  return label.length === 0 ? line : `${line} : ${phrase(label)}`;
}

/** `a, b [guard]`: a guard follows the event it stands under. */
function phrase(label: readonly string[]): string {
  return label.join(", ").replaceAll(", [", " [");
}

/** Mermaid ids are words: `claimed.sending` becomes `sending`, `(answer)` becomes `answer`. */
function nameOf(id: string): string {
  return (id.split(".").at(-1) ?? id).replaceAll(/\W/g, "");
}

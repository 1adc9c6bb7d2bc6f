/**
 * A machine as plain data: the one source for pictures, documents, the lock and the table test. It reads how the
 * machine is written and never runs a guard or an action.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";

/** A guard or an action by name. Only parameters written as plain data are shown; computed ones are code. */
export interface ChartOrder {
  type: string;
  params?: Record<string, unknown>;
}

export interface ChartState {
  /** Dotted, from the root: `claimed.sending`. */
  path: string;
  name: string;
  parent: string | null;
  type: "atomic" | "compound" | "parallel" | "final" | "history";
  /** Path of the child entered first; null where there are no children. */
  initial: string | null;
  tags: string[];
  description: string | null;
  meta: Record<string, unknown>;
  entry: ChartOrder[];
  exit: ChartOrder[];
}

export interface ChartTransition {
  from: string;
  event: string;
  /** Place among the candidates of the same event; the first whose guard holds is taken. */
  index: number;
  guard: ChartOrder | null;
  actions: ChartOrder[];
  /** Null where the state stays. */
  target: string | null;
}

export interface Chart {
  id: string;
  version: string | null;
  initial: string;
  /** Depth first, as written. */
  states: ChartState[];
  transitions: ChartTransition[];
}

/** Everything a reader may want to know of `machine`, in the order it was written. */
export function describe(machine: AnyStateMachine): Chart {
  const nodes = descendants(machine.root);
  return {
    id: machine.id,
    version: machine.version ?? null,
    initial: initialOf(machine.root) ?? "",
    states: nodes.map(stateOf),
    transitions: [machine.root, ...nodes].flatMap(transitionsOf),
  };
}

/** The transitions out of `path` itself, those of its parents not counted. */
export function leaving(chart: Chart, path: string): ChartTransition[] {
  return chart.transitions.filter((transition) => transition.from === path);
}

function descendants(node: AnyStateNode): AnyStateNode[] {
  return childrenOf(node).flatMap((child) => [child, ...descendants(child)]);
}

function childrenOf(node: AnyStateNode): AnyStateNode[] {
  return Object.values<AnyStateNode>(node.states);
}

function stateOf(node: AnyStateNode): ChartState {
  return {
    path: pathOf(node),
    name: node.key,
    parent: node.parent && node.parent.path.length > 0 ? pathOf(node.parent) : null,
    type: node.type,
    initial: initialOf(node),
    tags: [...node.tags],
    description: node.description ?? null,
    meta: plain(node.meta) ?? {},
    entry: node.entry.map(orderOf),
    exit: node.exit.map(orderOf),
  };
}

function transitionsOf(node: AnyStateNode): ChartTransition[] {
  return [...node.transitions].flatMap(([event, candidates]) =>
    candidates.map((candidate, index) => ({
      from: pathOf(node),
      event,
      index,
      guard: candidate.guard === undefined ? null : orderOf(candidate.guard),
      actions: candidate.actions.map(orderOf),
      target: candidate.target?.map(pathOf).join(" ") ?? null,
    })),
  );
}

function initialOf(node: AnyStateNode): string | null {
  if (childrenOf(node).length === 0) return null;
  return node.initial.target.map(pathOf).join(" ");
}

function pathOf(node: AnyStateNode): string {
  return node.path.join(".");
}

/** XState spells the same order in three ways: a name, an object with a type, a function. */
function orderOf(order: unknown): ChartOrder {
  if (typeof order === "string") return { type: order };
  if (typeof order === "function") return { type: order.name };
  if (typeof order !== "object" || order === null || !("type" in order)) return { type: "" };
  const params = "params" in order ? plain(order.params) : null;
  return params === null ? { type: String(order.type) } : { type: String(order.type), params };
}

function plain(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null ? { ...value } : null;
}

/**
 * A machine has more arrows than a picture can bear. Without losing one of them this draws one arrow for each pair
 * of states, one line for each event that stays, and one junction for the events that many states share.
 */
import type { Chart, ChartState, ChartTransition } from "./describe.ts";
import { leaving } from "./describe.ts";

export interface DrawnNode {
  id: string;
  kind: ChartState["type"] | "junction";
  /** First tag of the state or of the nearest parent that has one. */
  phase: string;
  parent: string | null;
  /** Entered first within its parent. */
  initial: boolean;
  title: string;
  sentence: string;
  /** Events that do not leave the state. */
  stays: string[];
}

export interface DrawnArrow {
  id: string;
  from: string;
  to: string;
  /** One line an event, one a guard; empty on the way into a junction. */
  label: string[];
  /** Keys of the transitions it stands for, see `keyOf`. */
  stands: string[];
}

export interface Drawing {
  nodes: DrawnNode[];
  arrows: DrawnArrow[];
}

/** From this many states on, an event that always leads to the same final state goes through a junction. */
const manySources = 3;

export const junctionId = "(answer)";

/** Names one transition for highlighting: `streaming upstream.lost 0`. */
export function keyOf({ from, event, index }: ChartTransition): string {
  return `${from} ${event} ${index}`;
}

/** The node whose inside an arrow stays in, or null for one that crosses a border or belongs to the machine itself. */
export function scopeOf(
  { from, to }: Pick<DrawnArrow, "from" | "to">,
  nodes: readonly DrawnNode[],
): string | null {
  const parentOf = (id: string) => nodes.find((node) => node.id === id)?.parent ?? null;
  return parentOf(from) === parentOf(to) ? parentOf(from) : null;
}

/** @param glyphs one character a state, shown before its name */
export function condense(chart: Chart, glyphs: ReadonlyMap<string, string>): Drawing {
  const shared = sharedEvents(chart);
  const states = chart.states.map((state) => drawState(chart, state, glyphs.get(state.path)));
  const junctions = shared.size === 0 ? [] : [junction];
  return { nodes: [...states, ...junctions], arrows: drawArrows(chart, shared) };
}

const junction: DrawnNode = {
  id: junctionId,
  kind: "junction",
  phase: "final",
  parent: null,
  initial: false,
  title: "an answer",
  sentence: "",
  stays: [],
};

function drawState(chart: Chart, state: ChartState, glyph: string | undefined): DrawnNode {
  const staying = leaving(chart, state.path).filter(({ target }) => target === null);
  return {
    id: state.path,
    kind: state.type,
    phase: phaseOf(chart, state),
    parent: state.parent,
    initial: isInitial(chart, state),
    title: glyph === undefined ? state.name : `${glyph} ${state.name}`,
    sentence: state.description ?? "",
    stays: unique(staying.map(({ event }) => event)),
  };
}

function phaseOf(chart: Chart, state: ChartState): string {
  const [tag] = state.tags;
  if (tag !== undefined) return tag;
  const parent = chart.states.find(({ path }) => path === state.parent);
  return parent === undefined ? "" : phaseOf(chart, parent);
}

function isInitial(chart: Chart, state: ChartState): boolean {
  const parent = chart.states.find(({ path }) => path === state.parent);
  return (parent?.initial ?? chart.initial) === state.path;
}

function sharedEvents(chart: Chart): Set<string> {
  const finals = new Set(chart.states.filter(({ type }) => type === "final").map(({ path }) => path));
  const events = unique(chart.transitions.map(({ event }) => event));
  return new Set(
    events.filter((event) => {
      const all = chart.transitions.filter((transition) => transition.event === event);
      const [target, ...others] = unique(all.map((transition) => transition.target ?? ""));
      if (target === undefined || others.length > 0 || !finals.has(target)) return false;
      return unique(all.map(({ from }) => from)).length >= manySources;
    }),
  );
}

function drawArrows(chart: Chart, shared: ReadonlySet<string>): DrawnArrow[] {
  const arrows = new Map<string, { from: string; to: string; stands: ChartTransition[] }>();
  const draw = (from: string, to: string, transition: ChartTransition) => {
    const arrow = arrows.get(`${from} -> ${to}`) ?? { from, to, stands: [] };
    arrow.stands.push(transition);
    arrows.set(`${from} -> ${to}`, arrow);
  };
  for (const transition of chart.transitions) {
    if (transition.target === null) continue;
    if (!shared.has(transition.event)) draw(transition.from, transition.target, transition);
    else {
      draw(transition.from, junctionId, transition);
      draw(junctionId, transition.target, transition);
    }
  }
  return [...arrows].map(([id, { from, to, stands }]) => ({
    id,
    from,
    to,
    label: to === junctionId ? [] : labelOf(chart, stands),
    stands: stands.map(keyOf),
  }));
}

/** A guard all events share is said once, at the end; otherwise each stands under its event. */
function labelOf(chart: Chart, stands: readonly ChartTransition[]): string[] {
  const events = unique(stands.map(({ event }) => event));
  const conditions = events.map((event) =>
    conditionOf(
      chart,
      stands.filter((transition) => transition.event === event),
    ),
  );
  const [common, ...others] = unique(conditions);
  if (common !== undefined && others.length === 0) return common === "" ? events : [...events, common];
  return events.flatMap((event, index) => [event, conditions[index] ?? ""]).filter((line) => line !== "");
}

/** When the event takes this arrow: `[guard]`, `[else]` after other candidates, or nothing where it always does. */
function conditionOf(chart: Chart, stands: readonly ChartTransition[]): string {
  const [first] = stands;
  const elsewhere = leaving(chart, first?.from ?? "").filter(
    ({ event, target }) => event === first?.event && target !== first.target,
  );
  if (stands.some(({ guard }) => guard === null)) return elsewhere.length === 0 ? "" : "[else]";
  return `[${stands.map(({ guard }) => guard?.type).join(" or ")}]`;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

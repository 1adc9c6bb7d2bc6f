/** The real machine with one thing changed by hand, as it may look after its next release. */
import type { Change, Severity } from "../../../src/chart/changes.ts";
import type { Chart, ChartState, ChartTransition } from "../../../src/chart/describe.ts";
import type { JsonSchema } from "../../../src/chart/lock.ts";
import { requestSnapshotSchema as snapshot } from "../../../src/chart/request-lock.ts";
import { requestChart as chart } from "../../../src/chart/request-picture.ts";

export type Told = [severity: Severity, where: string, sentence: string];

export function told({ severity, where, sentence }: Change): Told {
  return [severity, where, sentence];
}

export function withState(path: string, changes: Partial<ChartState>): Chart {
  const states = chart.states.map((state) => (state.path === path ? { ...state, ...changes } : state));
  return { ...chart, states };
}

export function without(path: string): Chart {
  return { ...chart, states: chart.states.filter((state) => state.path !== path) };
}

export function plus(to: Chart, path: string): Chart {
  const [like] = chart.states.filter(({ type }) => type === "atomic");
  if (like === undefined) throw new Error("The machine has no plain state.");
  return { ...to, states: [...to.states, { ...like, path, name: path }] };
}

export function rewired(of: Chart, from: string, to: string): Chart {
  const transitions = of.transitions.map((transition) =>
    transition.target === from ? { ...transition, target: to } : transition,
  );
  return { ...of, transitions };
}

export function withTransition(key: string, changes: Partial<ChartTransition>): Chart {
  const transitions = chart.transitions.map((transition) =>
    `${transition.from} ${transition.event} ${transition.index}` === key
      ? { ...transition, ...changes }
      : transition,
  );
  return { ...chart, transitions };
}

export function plusEvent(from: string, event: string, target: string | null): Chart {
  const added: ChartTransition = { from, event, index: 0, guard: null, actions: [], target };
  return { ...chart, transitions: [...chart.transitions, added] };
}

export function propertiesOf(schema: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(Object(schema["properties"])).map(([name, it]) => [name, Object(it)]),
  );
}

/** The stored snapshot with `changes` to its context, required but for what is `optional`. */
export function withContext(changes: Record<string, JsonSchema>, optional: string[] = []): JsonSchema {
  const { context = {}, ...others } = propertiesOf(snapshot);
  const properties = { ...propertiesOf(context), ...changes };
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { ...snapshot, properties: { ...others, context: { ...context, properties, required } } };
}

export function contextWithout(name: string): JsonSchema {
  const { context = {}, ...others } = propertiesOf(snapshot);
  const { [name]: _gone, ...properties } = propertiesOf(context);
  const required = Object.keys(properties);
  return { ...snapshot, properties: { ...others, context: { ...context, properties, required } } };
}

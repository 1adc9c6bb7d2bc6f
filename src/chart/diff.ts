/** Compares a machine with a released version of it and says of every change how much it matters. Pure. */
import type { Change } from "./changes.ts";
import { inOrder } from "./changes.ts";
import type { Chart, ChartOrder, ChartTransition } from "./describe.ts";
import { diffSnapshots } from "./diff-snapshots.ts";
import { canonical, type JsonSchema, type Lock, type LockShape, lockOf } from "./lock.ts";

type State = LockShape["states"][number];

/** All that changed since `lock` was made, the worst first; empty exactly where the lock still holds. */
export function diffLock(lock: Lock, now: { chart: Chart; snapshot: JsonSchema }): Change[] {
  const changes = [...diffCharts(lock.shape, now.chart), ...diffSnapshots(lock.snapshot, now.snapshot)];
  if (changes.length > 0 || lockOf(now.chart, now.snapshot).hash === lock.hash) return inOrder(changes);
  const sentence = "Nothing changed but its version, or the order in which it is written.";
  return [{ severity: "compatible", where: lock.machine, sentence }];
}

export function diffCharts(old: LockShape, now: Chart): Change[] {
  return inOrder([...diffMachines(old, now), ...diffStates(old, now), ...diffTransitions(old, now)]);
}

function diffMachines(old: LockShape, now: Chart): Change[] {
  return [
    ...changeIf(old.id !== now.id, {
      severity: "breaking",
      where: now.id,
      sentence: `The machine is ${now.id} and was ${old.id}: what is stored belongs to another machine.`,
    }),
    ...changeIf(old.initial !== now.initial, {
      severity: "behaviour",
      where: now.id,
      sentence: `A life begins in ${now.initial}, and began in ${old.initial}.`,
    }),
  ];
}

function diffStates(old: LockShape, now: Chart): Change[] {
  const before = byPath(old.states);
  const after = byPath(now.states);
  const gone = old.states.filter(({ path }) => !after.has(path));
  return [
    ...gone.map(({ path }): Change => {
      return {
        severity: "breaking",
        where: path,
        sentence: `${path} is gone, and a stored request may stand in it.`,
      };
    }),
    ...now.states.flatMap((state) => diffState(before.get(state.path), state)),
  ];
}

function diffState(old: State | undefined, now: State): Change[] {
  const where = now.path;
  if (old === undefined)
    return [{ severity: "compatible", where, sentence: `${where} is new; nothing stored stands in it.` }];
  if (old.type !== now.type) return [kindChanged(old, now)];
  return [
    ...differs(where, old.initial, now.initial, (it) => `${where} begins with ${it}`),
    ...differs(where, old.tags, now.tags, (it) => `${where} counts as ${it}`),
    ...differs(where, old.meta, now.meta, (it) => `${where} declares ${it}`),
    ...differs(where, old.entry.map(spelled), now.entry.map(spelled), (it) => `Entering ${where} does ${it}`),
    ...differs(where, old.exit.map(spelled), now.exit.map(spelled), (it) => `Leaving ${where} does ${it}`),
    ...changeIf(old.description !== undefined && old.description !== now.description, {
      severity: "compatible",
      where,
      sentence: `${where} is described in other words.`,
    }),
  ];
}

function kindChanged(old: State, now: State): Change {
  const where = now.path;
  return old.type === "atomic" && now.type === "compound"
    ? {
        severity: "migrate",
        where,
        sentence: `${where} was split, and a stored request that stands in it does not say in which part.`,
      }
    : {
        severity: "breaking",
        where,
        sentence: `${where} is ${now.type} and was ${old.type}: a stored request that stands in it stands nowhere.`,
      };
}

/** A life that stands in the state goes on differently: `say` what is so now, with what was so put after it. */
function differs(where: string, old: unknown, now: unknown, say: (it: string) => string): Change[] {
  const sentence = `${say(listed(now))}; before it was ${listed(old)}.`;
  return changeIf(canonical(old) !== canonical(now), { severity: "behaviour", where, sentence });
}

/** Of states that are new or gone, that they are is all there is to say. */
function diffTransitions(old: LockShape, now: Chart): Change[] {
  const known = new Set(old.transitions.map(({ event }) => event));
  const paths = new Set(old.states.map(({ path }) => path));
  const inBoth = new Set(["", ...now.states.flatMap(({ path }) => (paths.has(path) ? [path] : []))]);
  const [before, after] = [candidatesOf(old), candidatesOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((where) => {
    const [was, is] = [before.get(where) ?? [], after.get(where) ?? []];
    const { from, event } = was[0] ?? is[0] ?? { from: "", event: "" };
    return inBoth.has(from) ? diffEvent({ where, from, event, was, is, isKnown: known.has(event) }) : [];
  });
}

interface EventChange {
  where: string;
  from: string;
  event: string;
  was: ChartTransition[];
  is: ChartTransition[];
  /** Whether recorded lives may have the event. */
  isKnown: boolean;
}

function diffEvent({ where, from, event, was, is, isKnown }: EventChange): Change[] {
  const [old, now] = [waysOf(was), waysOf(is)];
  if (old === now) return [];
  const place = from === "" ? "in every state" : `in ${from}`;
  const before = was.length === 0 ? "it meant nothing" : `it led to ${old}`;
  if (is.length === 0)
    return [{ severity: "behaviour", where, sentence: `${event} means nothing ${place}; ${before}.` }];
  if (was.length === 0 && !isKnown)
    return [{ severity: "compatible", where, sentence: `${event} is new; ${place} it leads to ${now}.` }];
  return [{ severity: "behaviour", where, sentence: `${event} leads to ${now} ${place}; ${before}.` }];
}

function candidatesOf({ transitions }: Pick<Chart, "transitions">): Map<string, ChartTransition[]> {
  const candidates = new Map<string, ChartTransition[]>();
  for (const transition of transitions) {
    const where = `${transition.from} ${transition.event}`;
    candidates.set(where, [...(candidates.get(where) ?? []), transition]);
  }
  return candidates;
}

function waysOf(candidates: readonly ChartTransition[]): string {
  return candidates.map(wayOf).join(", else ");
}

function wayOf({ target, guard, actions }: ChartTransition): string {
  const condition = guard === null ? "" : ` [${spelled(guard)}]`;
  const done = actions.length === 0 ? "" : ` / ${actions.map(spelled).join(", ")}`;
  return `${target ?? "itself"}${condition}${done}`;
}

function spelled({ type, params }: ChartOrder): string {
  return params === undefined ? type : `${type}${canonical(params)}`;
}

function listed(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ") || "nothing";
  return typeof value === "string" ? value : canonical(value);
}

function byPath(states: readonly State[]): Map<string, State> {
  return new Map(states.map((state) => [state.path, state]));
}

function changeIf(condition: boolean, change: Change): Change[] {
  return condition ? [change] : [];
}

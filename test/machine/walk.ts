/**
 * Paths through the machine, found by @xstate/graph. Its paths' own `test()` passes silently where an event has no
 * executor, so the steps are walked here, each with the transition it took.
 */
import { createTestModel } from "@xstate/graph";
import { decide } from "../../machines/decide.ts";
import type { Effect } from "../../machines/effects.ts";
import type { RequestEvent } from "../../machines/events.ts";
import { type RequestInput, requestMachine } from "../../machines/request.ts";
import type { RequestSnapshot } from "../../machines/snapshots.ts";
import { events } from "./samples.ts";

export interface WalkedStep {
  before: RequestSnapshot;
  event: RequestEvent;
  /** `state event index`, or null where the event means nothing there. */
  took: string | null;
  after: RequestSnapshot;
  effects: Effect[];
}

/** Far above what there is: the default is no limit, and a context that grows would never end. */
const traversals = 200_000;

/** Shortest paths to every pair of state and transition that a request with this input can reach. */
export function shortestPaths(input: RequestInput): WalkedStep[][] {
  const model = createTestModel(requestMachine, {
    input,
    events: [...events],
    serializeState: vertex,
    limit: traversals,
  });
  // Looking for paths within paths takes longer than walking both.
  return model.getShortestPaths({ allowDuplicatePaths: true }).map(({ steps }) => {
    const [first, ...rest] = steps;
    if (first === undefined) return [];
    return relived(
      first.state,
      rest.map(({ event }) => event),
    );
  });
}

/** The graph keeps one snapshot for all that stand in one place; a life has each from the one before. */
function relived(first: RequestSnapshot, happened: readonly RequestEvent[]): WalkedStep[] {
  let before = first;
  return happened.map((event) => {
    const step = walk(before, event);
    before = step.after;
    return step;
  });
}

function walk(before: RequestSnapshot, event: RequestEvent): WalkedStep {
  const { next, effects } = decide(before, event);
  return { before, event, took: transitionTaken(before, event), after: next, effects };
}

/**
 * What tells two places in the graph apart: the state, what its guards look at, and the transition that led there.
 * The rest of the context is left out, so it cannot grow the graph; nothing a guard asks depends on it.
 */
function vertex(after: RequestSnapshot, event?: RequestEvent, before?: RequestSnapshot): string {
  const { attempts, upstream, cancel, missingSince } = after.context;
  const { background, retrievable, contextIgnored } = upstream ?? {};
  const via = event === undefined || before === undefined ? null : transitionTaken(before, event);
  return JSON.stringify([
    after.value,
    [attempts, background, retrievable, contextIgnored, cancel?.asking, missingSince],
    via,
  ]);
}

export function transitionTaken(before: RequestSnapshot, event: RequestEvent): string | null {
  if (before.status !== "active") return null;
  // An inner state that ignores an event leaves it to its parent, hence a list.
  const [taken] = requestMachine.getTransitionData(before, event);
  if (taken === undefined) return null;
  const candidates = taken.source.transitions.get(taken.eventType) ?? [];
  return `${taken.source.path.join(".")} ${taken.eventType} ${candidates.indexOf(taken)}`;
}

/**
 * Paths that the world can play, found by @xstate/graph over the machine with the events that have a way to happen
 * in each place. Payloads and times are the directions' own.
 */
import { getShortestPaths } from "@xstate/graph";
import { begin, decide } from "../../../machines/decide.ts";
import type { RequestEvent } from "../../../machines/events.ts";
import { type RequestInput, requestMachine } from "../../../machines/request.ts";
import type { RequestSnapshot } from "../../../machines/snapshots.ts";
import { transitionTaken, type WalkedStep } from "../../machine/walk.ts";
import { type Direction, directions } from "./directions.ts";

export interface PlayedStep extends WalkedStep {
  direction: Direction;
}

/** Far above what there is: the default is no limit. */
const traversals = 200_000;
/** Attempts are told apart up to here; after that one more is like the one before. */
const attemptsToldApart = 2;

export function playablePaths(input: RequestInput): PlayedStep[][] {
  // A test model would add each event that is left out, without a payload; here what is left out cannot happen.
  const found = getShortestPaths(requestMachine, {
    input,
    events: (snapshot) => possibleIn(snapshot).map(({ event }) => event),
    serializeState: placeOf,
    limit: traversals,
  });
  const paths = found.map(({ steps }) => told(input, steps.slice(1)));
  return withoutPrefixes(paths);
}

/** The graph keeps one snapshot for each place, so a path of its snapshots is not one life: it is lived again here. */
function told(input: RequestInput, steps: readonly { event: RequestEvent }[]): PlayedStep[] {
  let now = begin(input).next;
  return steps.map(({ event }) => {
    const step = played(now, event);
    now = step.after;
    return step;
  });
}

/** What can be made to happen in `snapshot` and would move it. */
export function possibleIn(snapshot: RequestSnapshot): Direction[] {
  if (snapshot.status !== "active") return [];
  return directions.filter(({ event, possible }) => possible(snapshot) && decide(snapshot, event).changed);
}

export function played(before: RequestSnapshot, event: RequestEvent): PlayedStep {
  const direction = directions.find((one) => one.event === event);
  if (!direction) throw new Error(`Nothing brings about this ${event.type}.`);
  const { next, effects } = decide(before, event);
  return { before, event, took: transitionTaken(before, event), after: next, effects, direction };
}

function placeOf(after: RequestSnapshot, event?: RequestEvent, before?: RequestSnapshot): string {
  const { attempts, upstream, cancel, missingSince, lostTo } = after.context;
  const { background, retrievable, contextIgnored } = upstream ?? {};
  const via = event === undefined || before === undefined ? null : transitionTaken(before, event);
  return JSON.stringify([
    after.value,
    [Math.min(attempts, attemptsToldApart), background, retrievable, contextIgnored],
    [cancel?.asking, missingSince, lostTo],
    via,
  ]);
}

/** A path that only begins a longer one shows nothing more. */
function withoutPrefixes(paths: readonly PlayedStep[][]): PlayedStep[][] {
  const begun = new Set(
    paths.flatMap((path) => path.slice(0, -1).map((_, length) => keyOf(path.slice(0, length + 1)))),
  );
  const whole = new Map(paths.map((path) => [keyOf(path), path]));
  return [...whole].filter(([key]) => !begun.has(key)).map(([, path]) => path);
}

const keyOf = (path: readonly PlayedStep[]) =>
  path.map(({ direction }) => directions.indexOf(direction)).join(" ");

/** Few of the paths, chosen so that together they still show everything that `shown` finds in a path. */
export function coveringPaths(
  paths: readonly PlayedStep[][],
  shown: (path: readonly PlayedStep[]) => string[],
): PlayedStep[][] {
  const seen = new Set<string>();
  // Long ones first: they show most, and what they leave for the short ones is little.
  return [...paths]
    .sort((one, other) => other.length - one.length)
    .filter((path) => {
      const fresh = shown(path).filter((what) => !seen.has(what));
      for (const what of fresh) seen.add(what);
      return fresh.length > 0;
    });
}

/** Each transition of a path with the one before it. */
export function pairsOf(path: readonly PlayedStep[]): string[] {
  return path.map(({ took }, index) => `${path[index - 1]?.took ?? "claimed"} -> ${took}`);
}

/** The graph's shortest paths, as few as show every step of all of them, and enough more to show every pair. */
import { decide } from "../../../machines/decide.ts";
import type { RequestInput } from "../../../machines/request.ts";
import { events } from "../../machine/samples.ts";
import { shortestPaths, transitionTaken, type WalkedStep } from "../../machine/walk.ts";
import { pairOf } from "../coverage-universe.ts";

export type Path = readonly WalkedStep[];

export function pathsToReplay(input: RequestInput): Path[] {
  const shortest = shortestPaths(input);
  return withoutPrefixes([...shortest, ...forOtherPairs(shortest)]);
}

/** One step more wherever it follows a transition that no shortest path lets it follow. */
function forOtherPairs(shortest: readonly Path[]): Path[] {
  const shown = new Set(shortest.flatMap(pairsOf));
  return shortest.flatMap((path) =>
    stepsAfter(path).flatMap((step) => {
      const longer = [...path, step];
      const [pair] = pairsOf(longer.slice(-2));
      if (pair === undefined || shown.has(pair)) return [];
      shown.add(pair);
      return [longer];
    }),
  );
}

function stepsAfter(path: Path): WalkedStep[] {
  const before = path.at(-1)?.after;
  if (before === undefined) return [];
  return events.flatMap((event) => {
    const { next: after, effects, changed } = decide(before, event);
    return changed ? [{ before, event, took: transitionTaken(before, event), after, effects }] : [];
  });
}

function pairsOf(path: Path): string[] {
  return path.flatMap(({ took }, index) => {
    const previous = path[index - 1]?.took;
    return previous && took ? [pairOf(previous, took)] : [];
  });
}

/** A path that only begins a longer one is replayed with it. */
function withoutPrefixes(paths: readonly Path[]): Path[] {
  const begun = new Set(
    paths.flatMap((path) => path.slice(0, -1).map((_, at) => keyOf(path.slice(0, at + 1)))),
  );
  const whole = new Map(paths.filter(({ length }) => length > 0).map((path) => [keyOf(path), path]));
  return [...whole].filter(([key]) => !begun.has(key)).map(([, path]) => path);
}

const numbers = new Map(events.map((event, number) => [JSON.stringify(event), number]));

/** @throws {Error} for an event that no sample is: a path over it would explore something else than is claimed */
function keyOf(path: Path): string {
  return path
    .map(({ event }) => {
      const number = numbers.get(JSON.stringify(event));
      if (number === undefined) throw new Error(`samples.ts has no such ${event.type}`);
      return number;
    })
    .join(" ");
}

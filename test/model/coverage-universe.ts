/** Everything there is to exercise: read off the chart, and for pairs found by walking every place. */
import { begin, decide } from "../../machines/decide.ts";
import { requestEventSchema } from "../../machines/events.ts";
import type { RequestInput } from "../../machines/request.ts";
import type { RequestSnapshot } from "../../machines/snapshots.ts";
import { keyOf } from "../../src/chart/condense.ts";
import { requestChart } from "../../src/chart/request-picture.ts";
import { events, profiles } from "../machine/samples.ts";
import { transitionTaken } from "../machine/walk.ts";
import type { Universe } from "./coverage-fragment.ts";

export const leaves = requestChart.states.filter(({ type }) => type !== "compound").map(({ path }) => path);
export const transitions = requestChart.transitions.map(keyOf);
/** Written down so that the table is whole, but it neither moves nor acts: no life can show it. */
export const inert = requestChart.transitions
  .filter(({ target, actions }) => target === null && actions.length === 0)
  .map(keyOf);

const eventTypes = requestEventSchema.options.map((option) => option.shape.type.value);

/** The state's path: `claimed.deferred`, `streaming`. */
export function leafOf({ value }: Pick<RequestSnapshot, "value">): string {
  return typeof value === "string" ? value : `claimed.${value.claimed}`;
}

export const cellOf = (state: string, event: string) => `${state} ${event}`;
export const cells = leaves.flatMap((state) => eventTypes.map((type) => cellOf(state, type)));
export const pairOf = (first: string, second: string) => `${first} -> ${second}`;

/** A place: the state and what guards look at. The rest of the context decides nothing. */
export function placeOf({ value, context }: Pick<RequestSnapshot, "value" | "context">): string {
  const { attempts, upstream, cancel, missingSince } = context;
  const { background, retrievable, contextIgnored } = upstream ?? {};
  return JSON.stringify([value, attempts, background, retrievable, contextIgnored, cancel, missingSince]);
}

interface Move {
  took: string;
  to: RequestSnapshot;
}

export function movesFrom(place: RequestSnapshot): Move[] {
  return events.flatMap((event) => {
    const { next, changed } = decide(place, event);
    const took = changed ? transitionTaken(place, event) : null;
    return took === null ? [] : [{ took, to: next }];
  });
}

/** Every place that a request with this input can get to, breadth first. */
export function placesOf(input: RequestInput): RequestSnapshot[] {
  const first = begin(input).next;
  const found = new Map([[placeOf(first), first]]);
  // A map goes on to what is added while it is walked.
  for (const place of found.values()) {
    for (const { to } of movesFrom(place)) if (!found.has(placeOf(to))) found.set(placeOf(to), to);
  }
  return [...found.values()];
}

/** Which transition can follow which in one life. */
function feasiblePairs(): string[] {
  const pairs = Object.values(profiles).flatMap((input) => {
    const places = placesOf(input);
    const movesAt = new Map(places.map((place) => [placeOf(place), movesFrom(place)]));
    return [...movesAt.values()].flatMap((moves) =>
      moves.flatMap(({ took, to }) =>
        (movesAt.get(placeOf(to)) ?? []).map((next) => pairOf(took, next.took)),
      ),
    );
  });
  return [...new Set(pairs)].sort();
}

let known: Universe | undefined;

export function universe(): Universe {
  known ??= { states: leaves, transitions, pairs: feasiblePairs(), cells };
  return known;
}

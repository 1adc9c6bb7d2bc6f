/** What a layer of the model suite really exercised: counted where it happens, written when its file is done. */
import type { RequestEvent } from "../../machines/events.ts";
import type { RequestSnapshot } from "../../machines/snapshots.ts";
import { type Measure, writeFragment } from "./coverage-fragment.ts";
import { cellOf, leafOf, pairOf, universe } from "./coverage-universe.ts";

export interface SeenStep {
  before: RequestSnapshot;
  event: RequestEvent;
  after: RequestSnapshot;
  /** `state event index` of the transition that moved it; null where nothing changed. */
  took: string | null;
  /** The transition before this one on the same life. */
  previous?: string | null;
}

export interface Coverage {
  step(seen: SeenStep): void;
  crashPoint(name: string): void;
  saw(measure: Measure, name: string): boolean;
  /** Belongs into an `afterAll`. */
  write(): void;
}

export function recordCoverage(
  layer: "paths" | "matrix" | "crashes" | "random" | "protocol",
  profile: string,
): Coverage {
  const seen: Record<Measure, Map<string, number>> = {
    states: new Map(),
    transitions: new Map(),
    pairs: new Map(),
    cells: new Map(),
    points: new Map(),
  };
  const count = (measure: Measure, name: string) =>
    seen[measure].set(name, (seen[measure].get(name) ?? 0) + 1);

  return {
    step({ before, event, after, took, previous }) {
      count("states", leafOf(before));
      count("cells", cellOf(leafOf(before), event.type));
      if (took === null || before === after) return;
      count("states", leafOf(after));
      count("transitions", took);
      if (previous) count("pairs", pairOf(previous, took));
    },
    crashPoint: (name) => void count("points", name),
    saw: (measure, name) => seen[measure].has(name),
    write() {
      const plain = (measure: Measure) => Object.fromEntries(seen[measure]);
      const counts = {
        states: plain("states"),
        transitions: plain("transitions"),
        pairs: plain("pairs"),
        cells: plain("cells"),
        points: plain("points"),
      };
      writeFragment({ layer, profile, seen: counts }, universe);
    },
  };
}

/** Of `all`, what none of them saw. */
export function unseen(coverages: Iterable<Coverage>, measure: Measure, all: readonly string[]): string[] {
  const together = [...coverages];
  return all.filter((name) => !together.some((coverage) => coverage.saw(measure, name)));
}

/** The fragments of a run, put together: a table to read and counts that a chart can be coloured by. */
import { type Fragment, type Measure, measures, type Universe } from "./coverage-fragment.ts";

const titles: Record<Measure, string> = {
  states: "states",
  transitions: "transitions",
  pairs: "pairs",
  cells: "state x event",
  points: "crash points",
};
const nameWidth = 14;
const inColumn = (measure: Measure, text: string) => text.padStart(Math.max(9, titles[measure].length + 2));

/** One row a layer, its profiles together, and one for all; inside 80 columns. */
export function coverageTable(fragments: readonly Fragment[], universe: Universe): string {
  const layers = [...new Set(fragments.map(({ layer }) => layer))].sort();
  const rows = [
    ...layers.map((layer) => ({ name: layer, of: fragments.filter((one) => one.layer === layer) })),
    { name: "all", of: fragments },
  ];
  const points = seenBy(fragments, "points");
  const all = (measure: Measure) => (measure === "points" ? [...points] : universe[measure]);
  const head = `${"model".padEnd(nameWidth)}${measures.map((one) => inColumn(one, titles[one])).join("")}`;
  const lines = rows.map(({ name, of }) => {
    const figures = measures.map((measure) => {
      const seen = seenBy(of, measure);
      const known = all(measure);
      const hit = known.filter((one) => seen.has(one)).length;
      return inColumn(measure, known.length === 0 ? "-" : `${hit}/${known.length}`);
    });
    return `${name.padEnd(nameWidth)}${figures.join("")}`;
  });
  return [head, ...lines].join("\n");
}

/** Counts by layer for each state and transition, those never met included. */
export function coverageCounts(fragments: readonly Fragment[], universe: Universe) {
  const counted = (measure: "states" | "transitions") =>
    Object.fromEntries(universe[measure].map((name) => [name, countsOf(fragments, measure, name)]));
  return { states: counted("states"), transitions: counted("transitions") };
}

function countsOf(fragments: readonly Fragment[], measure: Measure, name: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { layer, seen } of fragments) {
    const count = seen[measure][name];
    if (count !== undefined) counts[layer] = (counts[layer] ?? 0) + count;
  }
  return counts;
}

function seenBy(fragments: readonly Fragment[], measure: Measure): Set<string> {
  return new Set(fragments.flatMap(({ seen }) => Object.keys(seen[measure])));
}

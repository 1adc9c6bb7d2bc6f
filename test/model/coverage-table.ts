/** The fragments of a run, put together: a table to read and counts that a chart can be coloured by. */
import { type Fragment, type Measure, measures, type Universe } from "./coverage-fragment.ts";

const titles: Record<Measure, string> = {
  states: "states",
  transitions: "transitions",
  pairs: "pairs",
  cells: "state x event",
  points: "crash points",
};
const nameWidth = 20;
const inColumn = (measure: Measure, text: string) => text.padStart(Math.max(9, titles[measure].length + 2));

interface Row {
  name: string;
  of: readonly Fragment[];
}

/** One row a layer with its profiles below it, and one for all; inside 80 columns. */
export function coverageTable(fragments: readonly Fragment[], universe: Universe): string {
  const points = [...seenBy(fragments, "points")];
  const known = (measure: Measure) => (measure === "points" ? points : universe[measure]);
  const figure = (of: readonly Fragment[], measure: Measure) => {
    const seen = seenBy(of, measure);
    const hit = known(measure).filter((one) => seen.has(one)).length;
    // Most layers strike nothing; that is no hole in them.
    return hit === 0 ? "-" : `${hit}/${known(measure).length}`;
  };
  const line = ({ name, of }: Row) =>
    `${name.slice(0, nameWidth).padEnd(nameWidth)}${measures.map((one) => inColumn(one, figure(of, one))).join("")}`;
  const head = `${"model".padEnd(nameWidth)}${measures.map((one) => inColumn(one, titles[one])).join("")}`;
  return [head, ...rowsOf(fragments).map(line)].join("\n");
}

function rowsOf(fragments: readonly Fragment[]): Row[] {
  const layers = [...new Set(fragments.map(({ layer }) => layer))].sort();
  return [
    ...layers.flatMap((layer) => {
      const of = fragments.filter((one) => one.layer === layer);
      const profiles = of.map((one) => ({ name: `  ${one.profile}`, of: [one] }));
      return [{ name: layer, of }, ...(profiles.length > 1 ? profiles : [])];
    }),
    { name: "all", of: fragments },
  ];
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

/** The table as it is printed, in 80 columns, and what it comes to. */
import { controls, nothingWrong } from "./controls.ts";
import type { Layer } from "./layers.ts";
import type { Mutant } from "./mutants.ts";
import type { Cell } from "./run.ts";

/** One mutant's way through the layers, by layer name. A layer that was not tried is missing. */
export interface Row {
  readonly mutant: Mutant;
  readonly cells: ReadonlyMap<string, Cell>;
  /** Why the mutant could not be tried at all, or null. */
  readonly unfit: string | null;
}

const width = 80;
const columnWidth = 4;
const marks = {
  killed: "K",
  survived: ".",
  "timed out": "T",
  "not there": "-",
  red: "!",
  broken: "?",
} as const satisfies Record<Cell["kind"], string>;

const legend = "K killed · . survives · T timed out · - not there · ! red by itself · ? no verdict";

export function tableOf(rows: readonly Row[], layers: readonly Layer[]): string {
  const names = Math.max(...rows.map(({ mutant }) => mutant.name.length));
  const columns = layers.map(({ name }) => name.slice(0, columnWidth).padEnd(columnWidth)).join(" ");
  const totals = layers.map(({ name }) => `${killsOf(rows, name)}`.padEnd(columnWidth)).join(" ");
  return [
    `${" ".repeat(names)}  ${columns}`,
    ...rows.map((row) => lineOf(row, layers, names)),
    `${"killed here".padEnd(names)}  ${totals}`,
    "",
    ...folded(legend),
    ...layers.flatMap(({ name, tests }) => folded(`${name}: ${tests.join(", ")}`)),
  ]
    .map((line) => line.trimEnd())
    .join("\n");
}

export function lineOf({ mutant, cells }: Row, layers: readonly Layer[], names: number): string {
  const columns = layers.map(({ name }) => markOf(cells.get(name)).padEnd(columnWidth)).join(" ");
  return `${mutant.name.padEnd(names)}  ${columns}`;
}

/** Each mutant's sentence, who killed it first, and what is wrong with the row. */
export function account(rows: readonly Row[], layers: readonly Layer[]): string {
  return rows.flatMap((row) => [...storyOf(row, layers), ""]).join("\n");
}

function storyOf(row: Row, layers: readonly Layer[]): string[] {
  const { name, says } = row.mutant;
  const killer = layers.find((layer) => isKill(row.cells.get(layer.name)));
  const cell = killer && row.cells.get(killer.name);
  return [
    ...folded(`${name}: ${says}`),
    ...(cell?.kind === "killed" ? folded(`  killed by ${cell.by}`) : []),
    ...(cell?.kind === "timed out" ? folded(`  hangs ${killer?.name}`) : []),
    ...problemsOf(row, layers).flatMap((problem) => folded(`  FAILED: ${problem}`)),
  ];
}

/** What is wrong with a row; nothing where the tests did what they are there for. */
export function problemsOf({ mutant, cells, unfit }: Row, layers: readonly Layer[]): string[] {
  if (unfit !== null) return [unfit];
  const broken = [...cells].flatMap(([layer, cell]) =>
    cell.kind === "broken" ? [`${layer} came to no verdict: ${cell.why}`] : [],
  );
  if (mutant.name === nothingWrong) return [...broken, ...redOf(cells)];
  const control = controls.find(({ name }) => name === mutant.name);
  const blind = layers
    .filter(({ name, sees }) => sees.some((seen) => seen === control?.name) && missed(cells.get(name)))
    .map(({ name }) => `${name} did not see it, so it ran other code than this`);
  const killed = [...cells.values()].some(isKill);
  return [...broken, ...blind, ...(killed ? [] : ["survives everything"])];
}

function redOf(cells: Row["cells"]): string[] {
  return [...cells].flatMap(([layer, cell]) => {
    if (cell.kind === "killed") return [`${layer} is red without a mutant: ${cell.by}`];
    return cell.kind === "timed out" ? [`${layer} takes too long without a mutant`] : [];
  });
}

const killsOf = (rows: readonly Row[], layer: string) =>
  rows.filter(({ cells }) => isKill(cells.get(layer))).length;

export const isKill = (cell: Cell | undefined) => cell?.kind === "killed" || cell?.kind === "timed out";
const missed = (cell: Cell | undefined) => cell?.kind === "survived";
const markOf = (cell: Cell | undefined) => (cell ? marks[cell.kind] : " ");

/** Lines of at most 80 columns; those that follow are indented. */
function folded(text: string): string[] {
  const indent = " ".repeat(text.length - text.trimStart().length);
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(/\s+/)) {
    if (line.trim() !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `${indent}  `;
    }
    line = line.trim() === "" ? `${line}${word}` : `${line} ${word}`;
  }
  return [...lines, line];
}

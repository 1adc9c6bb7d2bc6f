/**
 * The kill table: every mutant against every layer of tests, to see that the tests would notice.
 *
 *   npm run test:mutants [-- --only NAME] [--layers a,b] [--first]
 *
 * `--first` stops at the layer that kills a mutant. Exits with 1 when a mutant survives everything, a patch does
 * not apply, a layer is red without a mutant, or a layer turns out not to run the mutated code.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { controls, nothingWrong } from "./controls.ts";
import { unseenByForks } from "./forked.ts";
import { type Layer, layers } from "./layers.ts";
import { longestName, type Mutant, mutantNamed, mutants } from "./mutants.ts";
import { patched, root, sourceOf } from "./patch.ts";
import { type Cell, runCell } from "./run.ts";
import { account, isKill, lineOf, problemsOf, type Row, tableOf } from "./table.ts";

/** A cell that takes longer hangs: a minute, or where the layer itself takes long, several times that. */
const leastLimitMs = 60_000;
const timesAsLong = 3;
/** Without a mutant nothing has a reason to hang. */
const unmutatedLimitMs = 600_000;
const atOnce = 2;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    layers: { type: "string" },
    first: { type: "boolean", default: false },
  },
});
const wanted = values.layers?.split(",");
const unknown = wanted?.filter((name) => !layers.some((layer) => layer.name === name)) ?? [];
if (unknown.length > 0) throw new Error(`there is no layer ${unknown.join(", ")}`);
const columns = layers.filter(({ name }) => wanted?.includes(name) ?? true);
const chosen = values.only?.map(mutantNamed) ?? mutants;

const forked = await unseenByForks();
const sound = await withoutMutant();
const rows = [
  sound,
  ...(await inTurns(
    chosen.filter(({ name }) => name !== nothingWrong),
    rowOf,
  )),
];
report();

/** The layers as they are; one that is red or missing is not asked about mutants. */
async function withoutMutant(): Promise<Row> {
  const mutant = mutantNamed(nothingWrong);
  const unfit = unfitness(mutant);
  const cells = await inTurns(
    unfit === null ? columns : [],
    async (layer) => [layer.name, await runCell(mutant, layer, unmutatedLimitMs)] as const,
  );
  return told({ mutant, unfit, cells: new Map(cells) });
}

async function rowOf(mutant: Mutant): Promise<Row> {
  const cells = new Map<string, Cell>();
  const unfit = unfitness(mutant);
  for (const layer of unfit === null ? columns : []) {
    const cell = await cellOf(mutant, layer);
    cells.set(layer.name, cell);
    if (values.first && isKill(cell) && !isControl(mutant)) break;
  }
  return told({ mutant, cells, unfit });
}

/** Every layer has its word on a control. */
function isControl({ name }: Mutant): boolean {
  return controls.some((control) => control.name === name);
}

async function cellOf(mutant: Mutant, layer: Layer): Promise<Cell> {
  const unmutated = sound.cells.get(layer.name);
  if (unmutated?.kind === "not there") return unmutated;
  if (unmutated?.kind !== "survived") return { kind: "red" };
  return runCell(mutant, layer, Math.max(leastLimitMs, timesAsLong * unmutated.ms));
}

function unfitness({ patches }: Mutant): string | null {
  const sources = new Map<string, string>();
  try {
    for (const patch of patches)
      sources.set(patch.file, patched(sources.get(patch.file) ?? sourceOf(patch.file), patch));
    return null;
  } catch (error) {
    return `does not apply: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function told(row: Row): Row {
  process.stderr.write(`${lineOf(row, columns, longestName)}\n`);
  return row;
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) done[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done;
}

function report(): void {
  const failed = rows.filter((row) => problemsOf(row, columns).length > 0).length + Number(forked !== null);
  mkdirSync(`${root}coverage`, { recursive: true });
  writeFileSync(`${root}coverage/mutants.json`, `${JSON.stringify(json(), null, 2)}\n`);
  console.log(`${tableOf(rows, columns)}\n\n${account(rows, columns)}`);
  console.log(forked === null ? "Processes that tests fork run the mutant too." : `FAILED: ${forked}`);
  console.log(`\n${rows.length + 1 - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function json() {
  return {
    layers: columns.map(({ name, tests }) => ({ name, tests })),
    forked,
    mutants: rows.map((row) => ({
      name: row.mutant.name,
      says: row.mutant.says,
      problems: problemsOf(row, columns),
      cells: Object.fromEntries(row.cells),
    })),
  };
}

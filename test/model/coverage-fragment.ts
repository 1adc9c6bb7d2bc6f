/** What one test file exercised, on its way from the worker that ran it to the end of the run. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

export const measures = ["states", "transitions", "pairs", "cells", "points"] as const;
export type Measure = (typeof measures)[number];

const countsSchema = z.record(z.string(), z.number());
const fragmentSchema = z.object({
  layer: z.string(),
  profile: z.string(),
  seen: z.object({
    states: countsSchema,
    transitions: countsSchema,
    pairs: countsSchema,
    cells: countsSchema,
    points: countsSchema,
  }),
});
export type Fragment = z.infer<typeof fragmentSchema>;

/** How much there is of each measure but crash points, which are only ever discovered. */
const universeSchema = z.object({
  states: z.array(z.string()),
  transitions: z.array(z.string()),
  pairs: z.array(z.string()),
  cells: z.array(z.string()),
});
export type Universe = z.infer<typeof universeSchema>;

const folder = new URL("../../coverage/model-fragments/", import.meta.url).pathname;
const universeFile = "universe.json";

export function writeFragment(fragment: Fragment, universe: () => Universe): void {
  mkdirSync(folder, { recursive: true });
  const name = `${fragment.layer} ${fragment.profile}`.replace(/[^a-z0-9]+/gi, "-");
  writeFileSync(join(folder, `${name}.${process.pid}.json`), JSON.stringify(fragment));
  if (!existsSync(join(folder, universeFile)))
    writeFileSync(join(folder, universeFile), JSON.stringify(universe()));
}

/** Null where no test of the model ran. */
export function readFragments(from = folder): { fragments: Fragment[]; universe: Universe } | null {
  if (!existsSync(join(from, universeFile))) return null;
  const read = (name: string): unknown => JSON.parse(readFileSync(join(from, name), "utf8"));
  const names = readdirSync(from).filter((name) => name.endsWith(".json") && name !== universeFile);
  return {
    fragments: names.sort().map((name) => fragmentSchema.parse(read(name))),
    universe: universeSchema.parse(read(universeFile)),
  };
}

export function removeFragments(): void {
  rmSync(folder, { recursive: true, force: true });
}

/** The golden files: for every released version what it stored, never changed after its release. */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { requestStateSchema } from "../../../machines/snapshots.ts";
import type { Recorded } from "../../../src/engine/replay.ts";

const root = new URL("../../../", import.meta.url);

/** From the project's root. */
export function goldenPaths(version: number): { snapshots: string; journals: string } {
  const folder = "test/machine/golden";
  return {
    snapshots: `${folder}/request.v${version}.json`,
    journals: `${folder}/journals.v${version}.json`,
  };
}

const snapshotsSchema = z.object({ version: z.number().int(), snapshots: z.array(z.unknown()).min(1) });
export type GoldenSnapshots = z.infer<typeof snapshotsSchema>;

/** Rows repeat what happened, so each thing that happened is there once and rows point at it. */
const journalsSchema = z.object({
  version: z.number().int(),
  happened: z.array(
    z.object({ type: z.string(), at: z.number().int(), payload: z.record(z.string(), z.unknown()) }),
  ),
  journals: z
    .array(
      z.object({
        profile: z.string(),
        rows: z.array(z.tuple([z.number().int().nonnegative(), requestStateSchema])).min(1),
      }),
    )
    .min(1),
});
export type GoldenJournals = z.infer<typeof journalsSchema>;

export interface GoldenJournal {
  profile: string;
  rows: Recorded[];
}

export function encoded(journals: readonly GoldenJournal[]): Omit<GoldenJournals, "version"> {
  const happened = new Map<string, { index: number; row: GoldenJournals["happened"][number] }>();
  const indexOf = ({ type, at, payload }: Recorded) => {
    const key = JSON.stringify([type, at, payload]);
    const known = happened.get(key) ?? { index: happened.size, row: { type, at, payload } };
    happened.set(key, known);
    return known.index;
  };
  const pointing = journals.map(({ profile, rows }) => ({
    profile,
    rows: rows.map((row): [number, Recorded["state"]] => [indexOf(row), row.state]),
  }));
  return { happened: [...happened.values()].map(({ row }) => row), journals: pointing };
}

/** @throws where the version has no such file */
export function goldenSnapshots(version: number): GoldenSnapshots {
  return snapshotsSchema.parse(read(goldenPaths(version).snapshots));
}

/** @throws where the version has no such file */
export function goldenJournals(version: number): GoldenJournal[] {
  const { happened, journals } = journalsSchema.parse(read(goldenPaths(version).journals));
  return journals.map(({ profile, rows }) => ({
    profile,
    rows: rows.map(([index, state], seq) => {
      const row = happened[index];
      if (row === undefined) throw new Error(`Nothing happened that has the number ${index}.`);
      return { ...row, seq, note: 0, state };
    }),
  }));
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, root), "utf8"));
}

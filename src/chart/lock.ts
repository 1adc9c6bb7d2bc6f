/**
 * What a released machine version looks like, committed beside it. Stored requests outlive the process that wrote
 * them, so a shape that changed without a new version is a shape that old rows were not written for.
 */
import { createHash } from "node:crypto";
import type { Chart } from "./describe.ts";

export interface Lock {
  machine: string;
  version: string | null;
  /** SHA-256 of the shape as canonical JSON, hexadecimal. */
  hash: string;
  /** The chart without its sentences: wording may be improved after a release. */
  shape: unknown;
}

export function lockOf(chart: Chart): Lock {
  const shape = { ...chart, states: chart.states.map(({ description: _, ...state }) => state) };
  const hash = createHash("sha256").update(canonical(shape)).digest("hex");
  return { machine: chart.id, version: chart.version, hash, shape };
}

/** JSON with sorted keys and no white space: equal data, equal bytes. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part) ? sorted(part) : part,
  );
}

function sorted(part: object): object {
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}

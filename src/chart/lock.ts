/**
 * What a released machine version looks like, committed beside it. Stored requests outlive the process that wrote
 * them, so a shape that changed without a new version is a shape that old rows were not written for.
 */
import { createHash } from "node:crypto";
import * as z from "zod";
import type { Chart, ChartState } from "./describe.ts";

/** A chart that may come without its sentences, as the one in a lock does. */
export type LockShape = Omit<Chart, "states"> & {
  states: (Omit<ChartState, "description"> & Partial<Pick<ChartState, "description">>)[];
};

export type JsonSchema = Record<string, unknown>;

export interface Lock {
  machine: string;
  version: string | null;
  /** SHA-256 of shape and snapshot as canonical JSON, hexadecimal. */
  hash: string;
  /** The chart without its sentences: wording may be improved after a release. */
  shape: LockShape;
  /** What is stored of a request, as JSON Schema. */
  snapshot: JsonSchema;
}

export function lockOf(chart: Chart, snapshot: JsonSchema): Lock {
  const shape = { ...chart, states: chart.states.map(({ description: _, ...state }) => state) };
  const hash = hashOf({ shape, snapshot });
  return { machine: chart.id, version: chart.version, hash, shape, snapshot };
}

const orderSchema = z.object({
  type: z.string(),
  params: z.record(z.string(), z.unknown()).exactOptional(),
});
const shapeSchema = z.object({
  id: z.string(),
  version: z.string().nullable(),
  initial: z.string(),
  states: z.array(
    z.object({
      path: z.string(),
      name: z.string(),
      parent: z.string().nullable(),
      type: z.enum(["atomic", "compound", "parallel", "final", "history"]),
      initial: z.string().nullable(),
      tags: z.array(z.string()),
      meta: z.record(z.string(), z.unknown()),
      entry: z.array(orderSchema),
      exit: z.array(orderSchema),
    }),
  ),
  transitions: z.array(
    z.object({
      from: z.string(),
      event: z.string(),
      index: z.number().int(),
      guard: orderSchema.nullable(),
      actions: z.array(orderSchema),
      target: z.string().nullable(),
    }),
  ),
}) satisfies z.ZodType<LockShape>;

const lockSchema = z
  .object({
    machine: z.string(),
    version: z.string().nullable(),
    hash: z.string(),
    shape: shapeSchema,
    snapshot: z.record(z.string(), z.unknown()),
  })
  .refine((lock) => lock.hash === hashOf(lock), {
    error: "the hash is not that of the shape and the snapshot",
  });

/**
 * A lock as it was committed.
 *
 * @throws {z.ZodError} where it is no lock, or was changed by hand
 */
export function readLock(text: string): Lock {
  return lockSchema.parse(JSON.parse(text));
}

function hashOf({ shape, snapshot }: Pick<Lock, "shape" | "snapshot">): string {
  return createHash("sha256").update(canonical({ shape, snapshot })).digest("hex");
}

/** JSON with sorted keys and no white space: equal data, equal bytes. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part) ? sorted(part) : part,
  );
}

function sorted(part: object): object {
  return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * What is stored of a request, by version. XState 5's own persisted snapshots carry neither machine id nor
 * version, and restoring one into another machine passes silently; so the version stands beside the snapshot
 * and every read goes through here.
 */
import type { SnapshotFrom } from "xstate";
import * as z from "zod";
import { failureSchema } from "./evidence.ts";
import { requestMachine } from "./request.ts";
import { finalStates, liveStates, type RequestState, requestStates, unresolvedStates } from "./states.ts";

export const machineVersion = 1;

export type RequestSnapshot = SnapshotFrom<typeof requestMachine>;

const snapshotV1 = z
  .object({
    status: z.enum(["active", "done"]),
    value: z.union([
      z.enum([...unresolvedStates, ...finalStates, "streaming"] satisfies RequestState[]),
      z.object({ claimed: z.enum(["sending", "deferred"]) }),
    ]),
    context: z.object({
      background: z.boolean(),
      retrievable: z.boolean(),
      predecessor: z.string().nullable(),
      deadlineAt: z.number(),
      predecessorRetryUntil: z.number(),
      maxAttempts: z.number().int(),
      attempts: z.number().int(),
      upstream: z
        .object({
          responseId: z.string(),
          model: z.string().nullable(),
          sequence: z.number().int().nullable(),
          background: z.boolean(),
          retrievable: z.boolean(),
          storeIgnored: z.boolean(),
          contextIgnored: z.boolean(),
        })
        .nullable(),
      cancel: z.object({ at: z.number(), asking: z.enum(["due", "asked"]) }).nullable(),
      missingSince: z.number().nullable(),
      failure: failureSchema.nullable(),
      reason: z.string().nullable(),
      lostTo: z.string().nullable(),
    }),
  })
  .refine(({ status, value }) => (status === "done") === finalStates.some((name) => name === value), {
    error: "a request is done exactly in its final states",
  });

export type StoredSnapshot = z.infer<typeof snapshotV1>;

/** The shape of what this version stores; its lock keeps it. */
export const storedSnapshotSchema = snapshotV1;

/** `migrations[n]` turns a version-n snapshot into version n + 1. Released entries never change. */
const migrations: Readonly<Record<number, (snapshot: unknown) => unknown>> = {};

/** The row was written by a newer claimcheck, or by nothing we know; guessing at it could pay twice. */
export class UnreadableSnapshot extends Error {
  readonly code: "snapshot_newer" | "snapshot_unreadable";
  constructor(code: "snapshot_newer" | "snapshot_unreadable", message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UnreadableSnapshot";
    this.code = code;
  }
}

/** What to store of `snapshot`; plain JSON. */
export function persist(snapshot: RequestSnapshot): StoredSnapshot {
  const { status, value, context } = snapshot;
  return snapshotV1.parse({ status, value, context });
}

/**
 * A stored snapshot, brought up to this version and checked.
 *
 * @throws {UnreadableSnapshot} when it is newer than this machine or does not have the shape of its version
 */
export function rehydrate(version: number, stored: unknown): RequestSnapshot {
  if (version > machineVersion) {
    throw new UnreadableSnapshot(
      "snapshot_newer",
      `This request was written by a newer claimcheck (machine version ${version}, this one reads up to ${machineVersion}). Upgrade claimcheck to work with it; it was left untouched.`,
    );
  }
  const parsed = snapshotV1.safeParse(migrate(version, stored));
  if (!parsed.success) {
    throw new UnreadableSnapshot(
      "snapshot_unreadable",
      "This request's stored state cannot be read. It was left untouched; a backup of the database may still have it whole.",
      parsed.error,
    );
  }
  return requestMachine.resolveState(parsed.data);
}

function migrate(version: number, stored: unknown): unknown {
  let snapshot = stored;
  for (let from = version; from < machineVersion; from += 1) snapshot = migrations[from]?.(snapshot);
  return snapshot;
}

/** The top-level state's name: `claimed` whether sending or deferred. */
export function stateOf(snapshot: Pick<RequestSnapshot, "value">): RequestState {
  return typeof snapshot.value === "string" ? snapshot.value : "claimed";
}

export const isLive = (state: RequestState) => liveStates.some((live) => live === state);
export const isFinal = (state: RequestState) => finalStates.some((name) => name === state);
export const requestStateSchema = z.enum(requestStates);

/** A record's snapshot, or the error a caller can act on. Every part of the engine reads snapshots here. */
import { type RequestSnapshot, rehydrate, UnreadableSnapshot } from "../../machines/snapshots.ts";
import { ClaimcheckError } from "../contract/errors.ts";
import type { RequestRecord } from "../store/store.ts";

/** @throws {ClaimcheckError} `snapshot_newer` or `snapshot_unreadable`; the row is left as it is */
export function snapshotOf(record: RequestRecord): RequestSnapshot {
  try {
    return rehydrate(record.machineVersion, record.snapshot);
  } catch (error) {
    if (!(error instanceof UnreadableSnapshot)) throw error;
    throw new ClaimcheckError(error.code, error.message, {
      details: { request_id: record.id, session_id: record.sessionId },
      cause: error,
    });
  }
}

/** For sweeps over many requests: one that cannot be read must not stop the others. */
export function isReadable(record: RequestRecord): boolean {
  try {
    snapshotOf(record);
    return true;
  } catch {
    return false;
  }
}

/** A life as the engine writes it into the journal: the claim, then each event that changed something. */
import { begin, decide } from "../../../machines/decide.ts";
import type { RequestEvent } from "../../../machines/events.ts";
import type { RequestInput } from "../../../machines/request.ts";
import { type RequestSnapshot, stateOf } from "../../../machines/snapshots.ts";
import { payloadOf } from "../../../src/engine/door.ts";
import type { Recorded } from "../../../src/engine/replay.ts";
import { start } from "../samples.ts";

export interface RecordedLife {
  rows: Recorded[];
  /** What would be stored at the end. */
  snapshot: RequestSnapshot;
}

export function recordedLife(input: RequestInput, happened: readonly RequestEvent[]): RecordedLife {
  let snapshot = begin(input).next;
  const rows: Recorded[] = [rowOf(0, "claimed", start, { ...input }, snapshot)];
  for (const event of happened) {
    const { next, changed } = decide(snapshot, event);
    if (!changed) continue;
    snapshot = next;
    rows.push(rowOf(rows.length, event.type, event.at, payloadOf(event), snapshot));
  }
  return { rows, snapshot };
}

/** Through JSON, as the database has it. */
function rowOf(seq: number, type: string, at: number, payload: object, after: RequestSnapshot): Recorded {
  return { seq, note: 0, type, at, payload: JSON.parse(JSON.stringify(payload)), state: stateOf(after) };
}

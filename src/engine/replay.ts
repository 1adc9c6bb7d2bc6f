/**
 * A request's life told again from its journal, by today's machine. It is the proof that nothing but the machine
 * ever wrote a state: the snapshot it ends in is the stored one. It draws the chart of one life, and it shows before
 * an upgrade whether recorded lives still go the way they went. Pure.
 */
import * as z from "zod";
import { begin, type Decision, decide } from "../../machines/decide.ts";
import { type RequestEvent, requestEventSchema } from "../../machines/events.ts";
import type { Outcome } from "../../machines/evidence.ts";
import type { RequestInput } from "../../machines/request.ts";
import { type RequestSnapshot, stateOf } from "../../machines/snapshots.ts";
import type { RequestState } from "../../machines/states.ts";
import type { JournalRow } from "../store/store.ts";

/** All of a row that replay looks at. */
export type Recorded = Pick<JournalRow, "seq" | "note" | "type" | "payload" | "at" | "state">;

/** The decider to replay on. */
export interface Machine {
  begin(input: RequestInput): Decision;
  decide(snapshot: RequestSnapshot, event: RequestEvent): Decision;
}

/** The journal says one thing and the machine another; which of them is wrong is for a person to find out. */
export class JournalDiverges extends Error {
  readonly seq: number;
  /** Null where there is no such row. */
  readonly recorded: RequestState | null;
  /** Null where the machine cannot say anything of the row. */
  readonly says: RequestState | null;
  constructor(seq: number, row: Recorded | null, says: RequestState | null, because?: string) {
    const what = row === null ? "" : ` (${row.type})`;
    const verdict = (says ?? "nothing") + (because === undefined ? "" : `: ${because}`);
    super(`Row ${seq}${what} diverges: recorded ${row?.state ?? "nothing"}, this machine says ${verdict}`);
    this.name = "JournalDiverges";
    this.seq = seq;
    this.recorded = row?.state ?? null;
    this.says = says;
  }
}

const inputSchema = z.object({
  background: z.boolean(),
  retrievable: z.boolean(),
  predecessor: z.string().nullable(),
  deadlineAt: z.number(),
  predecessorRetryUntil: z.number(),
  maxAttempts: z.number().int(),
}) satisfies z.ZodType<RequestInput>;

const eventOptions = new Map<string, (typeof requestEventSchema.options)[number]>(
  requestEventSchema.options.map((option) => [option.shape.type.value, option]),
);

/** What the journal never keeps of an answer. No guard and no action of the machine looks at it. */
const untold = { text: "", refusal: null, citations: [], serviceTier: null } satisfies Partial<Outcome>;

/**
 * The snapshot that a journal leads to. Notes are beside the life and left out.
 *
 * @param rows of one request, ascending by (seq, note)
 * @throws {JournalDiverges} at the first row that this machine would not have written so
 */
export function replayJournal(
  rows: readonly Recorded[],
  machine: Machine = { begin, decide },
): RequestSnapshot {
  const [claim, ...happened] = rows.filter(({ note }) => note === 0);
  if (claim === undefined) throw new JournalDiverges(0, null, null, "there is no row");
  inOrder(claim, 0);
  let snapshot = agreed(claim, begun(claim, machine));
  for (const [index, row] of happened.entries()) {
    inOrder(row, index + 1);
    snapshot = agreed(row, moved(row, snapshot, machine));
  }
  return snapshot;
}

function inOrder(row: Recorded, seq: number): void {
  if (row.seq !== seq) throw new JournalDiverges(row.seq, row, null, `row ${seq} should come here`);
}

function begun(row: Recorded, machine: Machine): RequestSnapshot {
  if (row.type !== "claimed") throw new JournalDiverges(row.seq, row, null, "a life begins with its claim");
  const input = inputSchema.safeParse(row.payload);
  if (!input.success)
    throw new JournalDiverges(row.seq, row, null, "the claim does not hold what the machine starts from");
  return machine.begin(input.data).next;
}

function moved(row: Recorded, snapshot: RequestSnapshot, machine: Machine): RequestSnapshot {
  const { next, changed } = machine.decide(snapshot, eventOf(row));
  if (changed) return next;
  throw new JournalDiverges(row.seq, row, stateOf(snapshot), "the event means nothing there");
}

function agreed(row: Recorded, snapshot: RequestSnapshot): RequestSnapshot {
  const says = stateOf(snapshot);
  if (says !== row.state) throw new JournalDiverges(row.seq, row, says);
  return snapshot;
}

/** The event as it was decided, but for what the journal leaves out of an answer; see `payloadOf`. */
function eventOf(row: Recorded): RequestEvent {
  const option = eventOptions.get(row.type);
  if (option === undefined) throw new JournalDiverges(row.seq, row, null, "it knows no such event");
  const { type, payload, at } = row;
  const outcome = "outcome" in option.shape && {
    outcome: { ...untold, ...payload, fullChars: payload["chars"] },
  };
  const event = requestEventSchema.safeParse({ ...payload, ...outcome, type, at });
  if (event.success) return event.data;
  const where = event.error.issues.map(({ path }) => path.join(".")).join(", ");
  throw new JournalDiverges(row.seq, row, null, `the event cannot be read (${where})`);
}

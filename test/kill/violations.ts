/** Everything that must hold after the storm, each breach by name. */
import { isDeepStrictEqual } from "node:util";
import { persist, rehydrate } from "../../machines/snapshots.ts";
import { replayJournal } from "../../src/engine/replay.ts";
import { openSqliteStore } from "../../src/index.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import type { RequestRecord, Store } from "../../src/store/store.ts";
import { type Called, messageOf } from "./callers.ts";
import type { Findings } from "./database.ts";

type Responses = Simulator["ledger"]["responses"];

export async function violationsAfter(
  file: string,
  called: Called,
  { ledger }: Pick<Simulator, "ledger">,
  findings: Findings,
): Promise<string[]> {
  const ids = [...called.told.keys()];
  const store = await openSqliteStore({ file });
  try {
    const records = new Map<string, RequestRecord>();
    for (const id of ids) {
      const record = await store.load(id);
      if (record) records.set(id, record);
    }
    return [
      ...ids.filter((id) => ledger.postsFor(id) > 1).map((id) => `${id} was paid for more than once`),
      ...ids.filter((id) => !records.has(id)).map((id) => `${id} is not in the database`),
      ...findings.faults,
      ...[...records.values()].flatMap(unsettled),
      ...(await misreplayed(store, records)),
      ...lostAnswers(ledger.responses, records, called),
      ...called.surprises,
    ];
  } finally {
    await store.close();
  }
}

function unsettled({ id, state, finishedAt }: RequestRecord): string[] {
  return finishedAt === null && state !== "unknown_outcome" ? [`${id} was left ${state}`] : [];
}

/** The machine, told the journal again, must arrive at what is stored. */
async function misreplayed(store: Store, records: ReadonlyMap<string, RequestRecord>): Promise<string[]> {
  const found: string[] = [];
  for (const { id, machineVersion, snapshot } of records.values()) {
    const journal = await store.journal(id);
    try {
      const replayed = persist(replayJournal(journal));
      if (!isDeepStrictEqual(replayed, persist(rehydrate(machineVersion, snapshot))))
        found.push(`${id} is stored otherwise than its journal replays`);
    } catch (error) {
      found.push(`${id} has a journal that cannot be replayed (${String(error)})`);
    }
  }
  return found;
}

/** What upstream completed and we had the id of belongs to its caller, unless a caller did not want it. */
function lostAnswers(
  responses: Responses,
  records: ReadonlyMap<string, RequestRecord>,
  { told, cancelled, abandoned }: Called,
): string[] {
  const owned = new Map([...records.values()].map((record) => [record.responseId, record]));
  return responses.flatMap(({ id: responseId, status }) => {
    const record = owned.get(responseId);
    if (!record || status !== "completed") return [];
    const { id, state } = record;
    if (state === "abandoned" && abandoned.has(id)) return [];
    if (state === "incomplete" && cancelled.has(id)) return [];
    if (state !== "completed") return [`${id} was completed upstream and ended ${state}`];
    const last = told.get(id);
    const whole = last?.text === `You said: ${messageOf(id)}` && last.responseId === responseId;
    return whole ? [] : [`${id} was completed and its caller was told ${last?.status ?? "nothing"}`];
  });
}

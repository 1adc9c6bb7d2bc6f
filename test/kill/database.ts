/** The database as it is after all those kills, read without claimcheck. */
import Database from "better-sqlite3";
import * as z from "zod";
import { requestStates } from "../../machines/states.ts";
import { brokenPromises, eventsIn } from "./books.ts";
import { tally } from "./tally.ts";

const rowSchema = z.array(
  z.object({ id: z.string(), state: z.string(), response_id: z.string().nullable() }),
);
export interface Findings {
  integrity: string;
  /** Requests whose response id was committed. */
  knownIds: string[];
  /** Requests in each state, and events of each type. */
  states: Map<string, number>;
  events: Map<string, number>;
  faults: string[];
}

export function inspectDatabase(file: string): Findings {
  const database = new Database(file, { readonly: true });
  try {
    const integrity = String(database.pragma("integrity_check", { simple: true }));
    const rows = rowSchema.parse(database.prepare("select id, state, response_id from requests").all());
    const known: readonly string[] = requestStates;
    return {
      integrity,
      knownIds: rows.filter((row) => row.response_id !== null).map((row) => row.id),
      states: tally(rows.map((row) => row.state)),
      events: eventsIn(database),
      faults: [
        ...(integrity === "ok" ? [] : [`integrity_check says ${integrity}`]),
        ...rows
          .filter((row) => !known.includes(row.state))
          .map((row) => `${row.id} is in the unknown state ${row.state}`),
        ...brokenPromises(database),
      ],
    };
  } finally {
    database.close();
  }
}

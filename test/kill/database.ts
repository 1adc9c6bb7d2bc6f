/** The database as it is after all those kills, read without claimcheck. */
import Database from "better-sqlite3";
import * as z from "zod";
import { requestStates } from "../../machines/states.ts";

const rowSchema = z.array(
  z.object({ id: z.string(), state: z.string(), response_id: z.string().nullable() }),
);
const journalSchema = z.array(
  z.object({ request_id: z.string(), events: z.number(), last: z.number(), version: z.number() }),
);

export interface Findings {
  integrity: string;
  /** Requests whose response id was committed. */
  knownIds: string[];
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
      faults: [
        ...(integrity === "ok" ? [] : [`integrity_check says ${integrity}`]),
        ...rows
          .filter((row) => !known.includes(row.state))
          .map((row) => `${row.id} is in the unknown state ${row.state}`),
        ...gapsIn(database),
      ],
    };
  } finally {
    database.close();
  }
}

/** Each version of a request has exactly its one row in the journal. */
function gapsIn(database: Database.Database): string[] {
  const sql = `select r.id as request_id, r.version as version, count(*) as events, max(j.seq) as last
    from requests r join journal j on j.request_id = r.id and j.note = 0 group by r.id`;
  return journalSchema
    .parse(database.prepare(sql).all())
    .filter(({ events, last, version }) => last !== version || events !== version + 1)
    .map(({ request_id }) => `${request_id} has a gap in its journal`);
}

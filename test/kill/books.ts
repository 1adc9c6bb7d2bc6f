/** What the database must say of itself once all is quiet, read without claimcheck. */
import type Database from "better-sqlite3";
import * as z from "zod";
import { eventAuthority } from "../../machines/events.ts";
import { finalStates } from "../../machines/states.ts";

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");
const successors = Object.entries(eventAuthority).flatMap(([event, who]) =>
  who === "successor" ? [event] : [],
);

/** Each promise with the query that finds who breaks it. */
const promises: readonly { breach: string; sql: string }[] = [
  {
    breach: "has not one journal row for each version",
    sql: `select r.id as id from requests r left join journal j on j.request_id = r.id and j.note = 0
      group by r.id having count(j.seq) <> r.version + 1 or min(j.seq) <> 0 or max(j.seq) <> r.version`,
  },
  {
    breach: "stands in another state than its last journal row",
    sql: `select r.id as id from requests r join journal j
      on j.request_id = r.id and j.note = 0 and j.seq = r.version where j.state <> r.state`,
  },
  {
    breach: "moved after a final state",
    sql: `select distinct r.id as id from requests r join journal j on j.request_id = r.id and j.note = 0
      where j.state in (${quoted(finalStates)}) and j.seq < r.version`,
  },
  {
    breach: "has an epoch that its take-overs do not account for",
    sql: `select r.id as id from requests r where r.epoch <> 1 + (select count(*) from journal j
      where j.request_id = r.id and j.note = 0 and j.type in (${quoted(successors)}))`,
  },
  {
    breach: "is a session whose pointer does not fit its last whole answer",
    sql: `select s.id as id from sessions s where s.last_response_id is not (select r.response_id from requests r
      where r.session_id = s.id and r.state in ('completed', 'refused') order by r.turn desc limit 1)`,
  },
  {
    breach: "is a tenant whose totals are wrong",
    sql: `select t.tenant as id from totals t where t.sessions <> (select count(*) from sessions)
      or t.requests <> (select count(*) from requests)
      or t.live <> (select count(*) from requests where state in ('claimed', 'streaming') and owner is not null)
      or t.content_bytes <> (select coalesce(sum(reserved_bytes), 0) from requests)
        + (select coalesce(sum(bytes), 0) from results) + (select coalesce(sum(instructions_bytes), 0) from sessions)`,
  },
];

const idsSchema = z.array(z.object({ id: z.string() }));

export function brokenPromises(database: Database.Database): string[] {
  const dangling = z.array(z.unknown()).parse(database.pragma("foreign_key_check"));
  return [
    ...(dangling.length === 0 ? [] : [`foreign_key_check finds ${dangling.length} rows`]),
    ...promises.flatMap(({ breach, sql }) =>
      idsSchema.parse(database.prepare(sql).all()).map(({ id }) => `${id} ${breach}`),
    ),
  ];
}

/** How often each event is in the journal. */
export function eventsIn(database: Database.Database): Map<string, number> {
  const sql = "select type, count(*) as times from journal where note = 0 group by type";
  const rows = z.array(z.object({ type: z.string(), times: z.number() })).parse(database.prepare(sql).all());
  return new Map(rows.map(({ type, times }) => [type, times]));
}

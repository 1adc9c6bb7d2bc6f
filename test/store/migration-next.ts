/** A storage version to come, and files of the present one that have a past. */

import type { Migrations } from "../../src/store/sqlite/migrate.ts";
import { migrations as present } from "../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { withClient } from "./folders.ts";
import { abandoned, accepted, answered, claimed, lived, lost } from "./life.ts";

const creating = /^CREATE TABLE `sessions` \(/;
const [create = ""] = present.flatMap(({ statements }) => statements.filter((sql) => creating.test(sql)));
const indexes = present.flatMap(({ statements }) =>
  statements.filter((sql) => /INDEX .* ON `sessions`/.test(sql)),
);
const columns = withoutFile((client) => {
  client.exec(create);
  return client
    .prepare<[], string>("select name from pragma_table_info('sessions')")
    .pluck()
    .all()
    .map((name) => `\`${name}\``)
    .join(", ");
});

/**
 * One migration more than there is: rebuilds the table that others refer to, with a column filled from what was
 * there, adds a column to another, and leaves a row each time it is applied.
 */
export const nextMigrations: Migrations = [
  ...present,
  {
    tag: "9999_next",
    statements: [
      create
        .replace(creating, "CREATE TABLE `__new_sessions` (")
        .replaceAll('"sessions".', '"__new_sessions".')
        .replace("\n\tCONSTRAINT", "\n\t`standing` text DEFAULT 'new' NOT NULL,\n\tCONSTRAINT"),
      `INSERT INTO \`__new_sessions\` (${columns}, \`standing\`) SELECT ${columns}, 'of old, ' || \`provider\` FROM \`sessions\``,
      "DROP TABLE `sessions`",
      "ALTER TABLE `__new_sessions` RENAME TO `sessions`",
      ...indexes,
      "ALTER TABLE `requests` ADD `weight` integer DEFAULT 1 NOT NULL",
      "INSERT INTO `meta` (`key`, `value`) VALUES ('applied ' || hex(randomblob(8)), 'next')",
    ],
  },
];

/** A file of the present version with answers, a request given up, one under way and a note in it. */
export async function makeOldFile(file: string): Promise<void> {
  const store = await openSqliteStore({ file });
  for (let turn = 0; turn < 5; turn += 1) await answered(store, {}, `answer ${turn}`);
  await lived(store, await claimed(store), lost, abandoned);
  await lived(store, await claimed(store), accepted());
  await store.close();
}

/** Everything a user has in the file, and what the next migration did to it. */
export function contentOf(file: string) {
  return withClient(file, (client) => {
    const all = (sql: string) => client.prepare(sql).all();
    return {
      version: client.pragma("user_version", { simple: true }),
      sessions: all(`select ${columns} from sessions order by id`),
      requests: all("select id, session_id, state, version, epoch, snapshot from requests order by id"),
      journal: all("select * from journal order by request_id, seq, note"),
      results: all("select * from results order by request_id"),
      key: all("select * from meta where key not like 'applied %'"),
      totals: all("select * from totals"),
    };
  });
}

/** What only the next version has in a file; null where nothing of it is there, an error where only a part is. */
export function nextIn(file: string) {
  return withClient(file, (client) => {
    const has = (table: string, column: string) =>
      client.prepare("select 1 from pragma_table_info(?) where name = ?").get(table, column) !== undefined;
    const times = client.prepare("select count(*) from meta where key like 'applied %'").pluck().get();
    const parts = [
      has("sessions", "standing"),
      has("requests", "weight"),
      times === 1,
      !has("__new_sessions", "id"),
    ];
    if (times === 0 && !parts[0] && !parts[1] && parts[3]) return null;
    if (parts.includes(false)) throw new Error(`Half a migration: ${JSON.stringify({ parts, times })}`);
    return {
      standing: client.prepare("select distinct standing from sessions").pluck().all(),
      weights: client.prepare("select distinct weight from requests").pluck().all(),
    };
  });
}

function withoutFile<T>(use: Parameters<typeof withClient<T>>[1]): T {
  return withClient(":memory:", use);
}

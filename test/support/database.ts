/** The whole database beside the servers that write it: counted, and changed where a test needs another past. */
import { join } from "node:path";
import Client from "better-sqlite3";
import { onTestFinished } from "vitest";

export const databaseFile = (dataDir: string) => join(dataDir, "claimcheck.db");

/** Rows of a query, on a connection of its own that cannot write. */
export function select<Row>(dataDir: string, sql: string, ...values: unknown[]): Row[] {
  const client = new Client(databaseFile(dataDir), { readonly: true, timeout: 5_000 });
  try {
    return client.prepare<unknown[], Row>(sql).all(...values);
  } finally {
    client.close();
  }
}

/** Every row of every table, for what may not be in any. */
export function everyRow(dataDir: string): Record<string, unknown[]> {
  const tables = select<{ name: string }>(dataDir, "select name from sqlite_schema where type = 'table'");
  return Object.fromEntries(tables.map(({ name }) => [name, select(dataDir, `select * from "${name}"`)]));
}

/** Changes rows behind the servers' backs. */
export function alter(dataDir: string, sql: string, ...values: unknown[]): void {
  const client = new Client(databaseFile(dataDir), { timeout: 5_000 });
  try {
    client.prepare(sql).run(...values);
  } finally {
    client.close();
  }
}

/** Holds the write lock until the function it gives is called. */
export function hold(dataDir: string): () => void {
  const client = new Client(databaseFile(dataDir), { timeout: 5_000 });
  client.exec("begin immediate");
  onTestFinished(() => void client.close());
  return () => void client.exec("rollback");
}

/** The session's pointer to its last successful response. */
export function pointerOf(dataDir: string, sessionId: unknown): string | null | undefined {
  const [row] = select<{ pointer: string | null }>(
    dataDir,
    "select last_response_id as pointer from sessions where id = ?",
    sessionId,
  );
  return row?.pointer;
}

/** How much there is of everything, and how much the books say: equal before and after, nothing was half-written. */
export function census(dataDir: string): Record<string, number> {
  const [counts] = select<Record<string, number>>(
    dataDir,
    `select (select count(*) from sessions) as sessions, (select count(*) from requests) as requests,
            (select count(*) from results) as results, (select count(*) from journal) as journal,
            t.sessions as counted_sessions, t.requests as counted_requests, t.live, t.content_bytes
       from totals t`,
  );
  return counts ?? {};
}

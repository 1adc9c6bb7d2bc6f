import { type Column, type SQL, sql } from "drizzle-orm";
import type { Connection } from "./connection.ts";

/**
 * Statements are prepared once per connection, on first use: preparing anew costs more than running, and a
 * process that only claims should not pay for the rest.
 */
export function statementsOf<T>(prepare: (connection: Connection) => T): (connection: Connection) => T {
  const prepared = new WeakMap<Connection, T>();
  return (connection) => {
    const known = prepared.get(connection);
    if (known !== undefined) return known;
    const fresh = prepare(connection);
    prepared.set(connection, fresh);
    return fresh;
  };
}

/** A value that is given when the statement runs. */
export const given = sql.placeholder;

/** The same where Drizzle's types want SQL: in `set`, stored as `column` stores its values. */
export function givenFor(column: Column, name: string): SQL {
  return sql`${sql.param(given(name), column)}`;
}

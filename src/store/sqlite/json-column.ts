import { customType } from "drizzle-orm/sqlite-core";
import type * as z from "zod";

/** A column of JSON text that is parsed by `schema` wherever it is read. */
export function json<T>(name: string, schema: z.ZodType<T>) {
  return customType<{ data: T; driverData: string | null }>({
    dataType: () => "text",
    // A placeholder may bring null, which is the column's NULL and not JSON's.
    toDriver: (value) => (value === null ? null : JSON.stringify(value)),
    fromDriver: (stored) => schema.parse(JSON.parse(stored ?? "null")),
  })(name);
}

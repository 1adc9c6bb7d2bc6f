import type { z } from "zod";

/** A field that is taken where it makes sense and is absent where it does not: one odd value costs no answer. */
export function lenient<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

import { eq } from "drizzle-orm";
import { ClaimcheckError } from "../../contract/errors.ts";
import type { Connection } from "./connection.ts";
import { meta } from "./schema.ts";

export const digestKeyName = "digest_key";

/** The key for argument digests, 32 bytes, made with the database. */
export function readDigestKey({ db }: Connection, file: string): Uint8Array {
  const row = db.select({ value: meta.value }).from(meta).where(eq(meta.key, digestKeyName)).get();
  const key = Buffer.from(row?.value ?? "", "hex");
  if (key.length === 32) return new Uint8Array(key);
  const message = `${file} has lost its digest key, so equal calls can no longer be told apart. Restore the file from a backup, or move it away to start with an empty one.`;
  throw new ClaimcheckError("storage_corrupt", message);
}

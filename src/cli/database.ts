import { statSync } from "node:fs";
import { ClaimcheckError } from "../contract/errors.ts";

/**
 * Whether there is a database at all. One that cannot be reached is not one that is not there: told that nothing was
 * ever asked, somebody would ask, and pay, again.
 *
 * @throws {ClaimcheckError} `storage_unavailable` where that cannot be told
 */
export function isThere(database: string): boolean {
  try {
    statSync(database);
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT") return false;
    throw new ClaimcheckError(
      "storage_unavailable",
      `${database} cannot be looked at (${code}), so nobody can say what is in it. claimcheck doctor says what stands in the way.`,
      { cause: error },
    );
  }
}

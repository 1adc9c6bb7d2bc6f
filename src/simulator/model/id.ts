import { randomBytes } from "node:crypto";

/**
 * Random, in the API's form: `resp_` and 50 hex digits. Not counted up from one, because a database may outlive many
 * simulators and no two of its responses may share an id.
 */
export function newId(prefix: "resp" | "msg" | "rs" | "fc" | "call" | "req"): string {
  return `${prefix}_${randomBytes(25).toString("hex")}`;
}

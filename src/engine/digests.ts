/**
 * Keyed digests of the caller's own arguments. Replays are compared by them: one a field, so that a conflict can
 * name what differs. Keyed by the database, since plain digests of short messages could be guessed.
 */
import { createHmac } from "node:crypto";
import { ClaimcheckError } from "../contract/errors.ts";
import type { ArgumentDigests } from "../store/store.ts";

/** Not part of what is asked: the id itself, and how long this caller waits. */
const notCompared = new Set(["request_id", "wait_ms"]);

export function digestArguments(key: Uint8Array, callerArguments: Record<string, unknown>): ArgumentDigests {
  const compared = Object.entries(callerArguments)
    .filter(([name, value]) => !notCompared.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const fields = Object.fromEntries(
    compared.map(([name, value]) => [name, mark(key, `field\0${name}\0${canonicalJson(value)}`)]),
  );
  return { fields, whole: mark(key, `whole\0${canonicalJson(fields)}`) };
}

/** A mark of words under the database's key; it cannot be taken for a digest of arguments. */
export function sealOf(key: Uint8Array, words: readonly string[]): string {
  return mark(key, `seal\0${canonicalJson(words)}`);
}

/** Deeper than any argument that means something; what is not could overflow the stack. */
const deepest = 200;

/**
 * JSON with sorted keys and no white space, so that equal arguments are equal bytes.
 *
 * @throws {ClaimcheckError} `invalid_arguments` for what nests deeper than 200 levels
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > deepest) throw tooDeep();
  if (Array.isArray(value)) return `[${value.map((member) => canonicalJson(member, depth + 1)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join(",")}}`;
}

function tooDeep(): ClaimcheckError {
  return new ClaimcheckError(
    "invalid_arguments",
    `The arguments nest deeper than ${deepest} levels. Nothing was sent; pass flat values.`,
    { details: { max_depth: deepest } },
  );
}

const mark = (key: Uint8Array, text: string) => createHmac("sha256", key).update(text).digest("base64url");

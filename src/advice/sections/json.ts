/** A JSON object somewhere in an answer: bare, in a fence, amid prose, in a wrapper, or cut off. */
import * as z from "zod";
import { readValue } from "./lenient-json.ts";
import { nameOf, type Part } from "./name.ts";

const objectSchema = z.record(z.string(), z.unknown());

/** How far inside an answer's object the sections may stand: `{"review": {"summary": …}}`. */
const deepestWrapper = 3;

/**
 * The members of the first object that has one of these names; empty where there is none. Other objects are examples
 * or code.
 *
 * @param names as `nameOf` gives them
 */
export function membersIn(answer: string, names: readonly string[]): Part[] {
  for (let at = answer.indexOf("{"); at >= 0; ) {
    const { value, end, whole } = readValue(answer, at);
    const members = membersWith(names, value, 0);
    if (members !== null) return members;
    // What could not be read may hold the brace that is looked for.
    at = answer.indexOf("{", whole ? end : Math.max(end, at + 1));
  }
  return [];
}

function membersWith(names: readonly string[], value: unknown, depth: number): Part[] | null {
  const object = objectSchema.safeParse(value);
  if (!object.success || depth > deepestWrapper) return null;
  const members = Object.entries(object.data).map(([key, member]) => ({ name: nameOf(key), value: member }));
  if (members.some(({ name }) => names.includes(name))) return members;
  for (const member of members) {
    const inside = membersWith(names, member.value, depth + 1);
    if (inside !== null) return inside;
  }
  return null;
}

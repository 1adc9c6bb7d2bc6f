/** A JSON object somewhere in an answer. */
import * as z from "zod";

export interface Part {
  name: string;
  value: unknown;
}

const objectSchema = z.record(z.string(), z.unknown());

/** The members of the object that an answer is, or that stands in it; null where there is none. */
export function membersIn(answer: string): Part[] | null {
  const begin = answer.indexOf("{");
  const end = answer.lastIndexOf("}");
  if (begin < 0 || end < begin) return null;
  const object = objectSchema.safeParse(parsed(answer.slice(begin, end + 1)));
  return object.success ? Object.entries(object.data).map(([name, value]) => ({ name, value })) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

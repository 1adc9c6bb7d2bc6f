/**
 * The caller's arguments, checked by us and not by the SDK, whose answer is prose without a code. Every fault is
 * named with its field; values are never repeated, since they can be content.
 */
import type { z } from "zod";
import { ClaimcheckError } from "../contract/errors.ts";
import { nearestName } from "./nearest-name.ts";
import { originalArguments } from "./stand-in.ts";

type Issue = z.core.$ZodIssue;

interface Fault {
  fields: string[];
  sentence: string;
}

/**
 * Parses a call's arguments by its tool's flat schema.
 *
 * @throws {ClaimcheckError} `invalid_arguments`; `details.fields` names every field at fault
 */
export function parseArguments<I extends z.ZodObject>(tool: string, input: I, sent: unknown): z.infer<I> {
  const given = originalArguments(sent);
  const known = Object.keys(input.shape);
  if (hasProto(given)) throw invalidArguments([unknownField("__proto__", tool, known)]);
  const parsed = input.safeParse(given === undefined ? {} : given);
  if (parsed.success) return parsed.data;
  throw invalidArguments(
    parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => unknownField(key, tool, known))
        : [wrongValue(issue, given)],
    ),
  );
}

/** JSON may name a field so, and no schema sees it. */
function hasProto(given: unknown): boolean {
  return typeof given === "object" && given !== null && Object.hasOwn(given, "__proto__");
}

/**
 * Parses arguments already flat-checked by what one action of the tool makes of them: the fields it needs are
 * there, the ones that mean nothing to it are not.
 *
 * @throws {ClaimcheckError} `invalid_arguments`; `details.fields` names every field at fault
 */
export function parseAction<A extends z.ZodType>(action: string, shape: A, given: unknown): z.infer<A> {
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidArguments(
    parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => strayField(key, action))
        : [missingField(fieldOf(issue), action)],
    ),
  );
}

/** The structured error for arguments that are wrong in a way no schema says. */
export function invalidArguments(faults: Fault[]): ClaimcheckError {
  return new ClaimcheckError("invalid_arguments", faults.map((fault) => fault.sentence).join(" "), {
    details: { fields: faults.flatMap((fault) => fault.fields) },
  });
}

function unknownField(key: string, tool: string, known: readonly string[]): Fault {
  const shown = key.slice(0, 64);
  const meant = nearestName(key, known);
  const hint = meant === undefined ? `Its fields are ${known.join(", ")}.` : `Did you mean "${meant}"?`;
  return { fields: [shown], sentence: `"${shown}" is not a field of ${tool}. ${hint}` };
}

function strayField(key: string, action: string): Fault {
  return { fields: [key], sentence: `"${key}" does not apply to ${action}; leave it out.` };
}

function missingField(field: string, action: string): Fault {
  return { fields: [field], sentence: `"${field}" is missing; ${action} needs it.` };
}

function wrongValue(issue: Issue, given: unknown): Fault {
  const field = fieldOf(issue);
  const value = valueAt(given, issue.path);
  const sentence =
    field === ""
      ? `The arguments must be an object, not ${kindOf(value)}.`
      : `"${field}" ${complaint(issue, value)}.`;
  return { fields: field === "" ? [] : [field], sentence };
}

function complaint(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return value === undefined
        ? "is missing"
        : `must be ${expectedKinds[issue.expected] ?? issue.expected}, not ${kindOf(value)}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `must ${sizeOf(issue.origin, "at least", issue.minimum)}`;
    case "too_big":
      return `must ${sizeOf(issue.origin, "at most", issue.maximum)}`;
    default:
      return issue.message;
  }
}

const expectedKinds: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
};

function sizeOf(origin: string, limit: string, bound: number | bigint): string {
  if (origin === "string") return `have ${limit} ${bound} characters`;
  if (origin === "array") return `have ${limit} ${bound} entries`;
  return `be ${limit} ${bound}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number" && !Number.isInteger(value)) return "a fraction";
  return typeof value === "string"
    ? "a string (numbers and booleans go without quotes)"
    : `a ${typeof value}`;
}

/** `wait_ms`, `unset[0]`; empty for the arguments as a whole. */
function fieldOf(issue: Issue): string {
  return issue.path.map((step, index) => (index === 0 ? String(step) : `[${String(step)}]`)).join("");
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (typeof value === "object" && value !== null ? Reflect.get(value, step) : undefined),
    given,
  );
}

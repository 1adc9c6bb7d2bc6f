import type { z } from "zod";
import { type ApiError, invalidRequest } from "./api-error.ts";

/** What the API answers to the first thing wrong with a body. */
export function refusalOf(issue: z.core.$ZodIssue | undefined): ApiError {
  if (!issue) return invalidRequest("Invalid request.");
  const param = parameterName(issue.path);
  if (!param && issue.code === "invalid_type") {
    return invalidRequest(`Invalid body: expected a JSON object, but got ${kindOf(issue.input)} instead.`);
  }
  if (issue.code === "unrecognized_keys") {
    const name = parameterName([...issue.path, issue.keys[0] ?? ""]);
    return invalidRequest(`Unknown parameter: '${name}'.`, name, "unknown_parameter");
  }
  if (issue.input === undefined) {
    return invalidRequest(`Missing required parameter: '${param}'.`, param, "missing_required_parameter");
  }
  return refusalOfValue(issue, param);
}

function refusalOfValue(issue: z.core.$ZodIssue, param: string): ApiError {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(param, issue.expected, issue.input);
    case "invalid_union":
      return wrongType(param, "another type", issue.input);
    case "invalid_value":
      return wrongValue(param, issue.values);
    case "too_small":
      return outOfRange(param, issue.origin, "below_min", `at least ${issue.minimum}`);
    case "too_big":
      return outOfRange(param, issue.origin, "above_max", `at most ${issue.maximum}`);
    default:
      return invalidRequest(`Invalid value for '${param}'.`, param, "invalid_value");
  }
}

function wrongType(param: string, expected: string, given: unknown): ApiError {
  const message = `Invalid type for '${param}': expected ${expected}, but got ${kindOf(given)} instead.`;
  return invalidRequest(message, param, "invalid_type");
}

function wrongValue(param: string, values: readonly unknown[]): ApiError {
  const allowed = values.map((value) => `'${String(value)}'`).join(", ");
  return invalidRequest(
    `Invalid value for '${param}'. Supported values are: ${allowed}.`,
    param,
    "invalid_value",
  );
}

/** The API tells integers from decimals by the parameter, not by the value given. */
const DECIMALS: ReadonlySet<string> = new Set(["temperature", "top_p"]);

function outOfRange(
  param: string,
  origin: string,
  side: "below_min" | "above_max",
  expected: string,
): ApiError {
  const code =
    origin === "number"
      ? `${DECIMALS.has(param) ? "decimal" : "integer"}_${side}_value`
      : `${origin}_${side}_length`;
  return invalidRequest(`Invalid '${param}': expected ${expected}.`, param, code);
}

/** `["input", 0, "content"]` → `input[0].content`, as the API writes it. */
function parameterName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    return name ? `${name}.${String(key)}` : String(key);
  }, "");
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

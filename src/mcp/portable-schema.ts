/**
 * JSON Schemas that every host takes. Hosts forward them to model providers that reject far more than the
 * specification does: `pattern` and `format` (VS Code, Gemini), `$schema` variants, untyped `{}` (huggingface/chat-ui#2299),
 * and zod's ±2^53 bounds say nothing. Unions at the root fail a whole session (anthropics/claude-code#5973);
 * our inputs have none, and a test walks every schema to keep it so.
 */
import * as z from "zod";

export interface ObjectSchema {
  [keyword: string]: unknown;
  type: "object";
}

type JsonObject = Readonly<Record<string, unknown>>;

/** What a caller may send: a flat root that refuses unknown fields. */
export function inputSchemaOf(input: z.ZodObject): ObjectSchema {
  return { ...portable(z.toJSONSchema(input, { io: "input" })), type: "object" };
}

/** What a result holds at least: an open root. */
export function outputSchemaOf(output: z.ZodObject): ObjectSchema {
  return { ...portable(z.toJSONSchema(output, { io: "output" })), type: "object" };
}

const dropped = new Set(["$schema", "pattern", "format"]);

function portable(schema: JsonObject): JsonObject {
  return mapped(
    schema,
    (value, keyword) => {
      if (keyword === "properties" && isObject(value)) {
        return mapped(value, (field) => (isObject(field) ? portable(field) : field));
      }
      return keyword === "items" && isObject(value) ? portable(value) : value;
    },
    isPortable,
  );
}

function isPortable(value: unknown, keyword: string): boolean {
  if (dropped.has(keyword)) return false;
  if (keyword === "minimum" || keyword === "maximum")
    return Math.abs(Number(value)) < Number.MAX_SAFE_INTEGER;
  // An empty schema means "anything", which is what leaving the keyword out means too.
  return !(keyword === "additionalProperties" && isObject(value) && Object.keys(value).length === 0);
}

function mapped(
  object: JsonObject,
  change: (value: unknown, key: string) => unknown,
  keep: (value: unknown, key: string) => boolean = () => true,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([key, value]) => keep(value, key))
      .map(([key, value]) => [key, change(value, key)]),
  );
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

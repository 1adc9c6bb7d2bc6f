/**
 * Compares what two versions store of a request, as JSON Schema: whether what the old one wrote can be read by the
 * new one, place by place. What it cannot judge counts as in need of a migration.
 */
import type { Change } from "./changes.ts";
import { canonical, type JsonSchema } from "./lock.ts";

/** Places that name states: what does not fit there any more is a state that is gone. */
const namesStates = /^(value|status)\b/;

export function diffSnapshots(old: JsonSchema, now: JsonSchema): Change[] {
  return diffAt("", old, now);
}

function diffAt(path: string, old: JsonSchema, now: JsonSchema): Change[] {
  if (canonical(old) === canonical(now)) return [];
  const [was, is] = [alternatives(old), alternatives(now)];
  const [wasObject, isObject] = [was.find(isAnObject), is.find(isAnObject)];
  const changes = [
    ...was.filter((one) => !is.some((other) => fits(one, other))).map((one) => lostAt(path, one)),
    ...is.filter((one) => !was.some((other) => fits(one, other))).map((one) => gainedAt(path, one)),
    ...(wasObject && isObject ? diffProperties(path, wasObject, isObject) : []),
  ];
  if (changes.length > 0) return changes;
  const isJudged = sameBeside(old, now) && (!wasObject || !isObject || sameBeside(wasObject, isObject));
  return isJudged ? [] : [unjudged(path)];
}

function diffProperties(path: string, old: JsonSchema, now: JsonSchema): Change[] {
  const [before, after] = [propertiesOf(old), propertiesOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const place = path === "" ? name : `${path}.${name}`;
    const [was, is] = [before.get(name), after.get(name)];
    if (is === undefined) return [goneAt(place)];
    if (was === undefined) return [isRequired(now, name) ? missingAt(place) : optionalAt(place)];
    return [...diffPresence(place, isRequired(old, name), isRequired(now, name)), ...diffAt(place, was, is)];
  });
}

function diffPresence(path: string, was: boolean, is: boolean): Change[] {
  if (was === is) return [];
  return is
    ? [
        {
          severity: "migrate",
          where: path,
          sentence: `${path} has to be there now, and was not always stored.`,
        },
      ]
    : [{ severity: "compatible", where: path, sentence: `${path} may be absent now.` }];
}

const lostAt = (path: string, lost: JsonSchema): Change => ({
  severity: namesStates.test(path) ? "breaking" : "migrate",
  where: path,
  sentence: `${path} may not be ${spelled(lost)} any more, and stored snapshots may have it so.`,
});

const gainedAt = (path: string, gained: JsonSchema): Change => ({
  severity: "compatible",
  where: path,
  sentence: `${path} may be ${spelled(gained)} now.`,
});

const goneAt = (path: string): Change => ({
  severity: "migrate",
  where: path,
  sentence: `${path} is gone, and stored snapshots have it.`,
});

const missingAt = (path: string): Change => ({
  severity: "migrate",
  where: path,
  sentence: `${path} is new and has to be there, and no stored snapshot has it.`,
});

const optionalAt = (path: string): Change => ({
  severity: "compatible",
  where: path,
  sentence: `${path} is new and may be absent.`,
});

const unjudged = (path: string): Change => ({
  severity: "migrate",
  where: path,
  sentence: `${path || "The snapshot"} is described differently; whether what is stored still fits is for a person to say.`,
});

/** A union, a list of types or a list of allowed values, as one schema each. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  const { anyOf, enum: values, type, ...rest } = schema;
  if (Array.isArray(anyOf)) return anyOf.filter(isSchema).flatMap(alternatives);
  if (Array.isArray(type))
    return type.map((one) => (one === "null" ? { type: one } : { ...rest, type: one }));
  return Array.isArray(values) ? values.map((value) => ({ ...rest, type, const: value })) : [schema];
}

/** Bounds that may only be loosened: the sign says which way is looser. */
const bounds: Readonly<Record<string, 1 | -1>> = {
  maximum: 1,
  exclusiveMaximum: 1,
  maxLength: 1,
  maxItems: 1,
  minimum: -1,
  exclusiveMinimum: -1,
  minLength: -1,
  minItems: -1,
};

const judged = new Set(["anyOf", "enum", "const", "type", "properties", "required", ...Object.keys(bounds)]);

/** Whether two schemas differ only in what is compared piece by piece. */
function sameBeside(old: JsonSchema, now: JsonSchema): boolean {
  const beside = (schema: JsonSchema) =>
    canonical(Object.fromEntries(Object.entries(schema).filter(([name]) => !judged.has(name))));
  return beside(old) === beside(now);
}

/** Whether all that `old` allows is allowed by `now`. Objects are looked into elsewhere, property by property. */
function fits(old: JsonSchema, now: JsonSchema): boolean {
  if (isAnObject(old) || isAnObject(now)) return isAnObject(old) && isAnObject(now);
  if ("const" in old) return "const" in now ? old["const"] === now["const"] : now["type"] === old["type"];
  return canonical(unbounded(old, now)) === canonical(unbounded(now, now)) && boundsHold(old, now);
}

function boundsHold(old: JsonSchema, now: JsonSchema): boolean {
  return Object.entries(bounds).every(([name, looser]) => {
    const [was, is] = [old[name], now[name]];
    if (typeof is !== "number") return true;
    return typeof was === "number" && (is - was) * looser >= 0;
  });
}

/** Without its bounds; an integer is a number where `now` asks for no more. */
function unbounded(schema: JsonSchema, now: JsonSchema): JsonSchema {
  const { type, ...rest } = Object.fromEntries(Object.entries(schema).filter(([name]) => !(name in bounds)));
  return { ...rest, type: type === "integer" && now["type"] === "number" ? "number" : type };
}

function propertiesOf({ properties }: JsonSchema): Map<string, JsonSchema> {
  if (!isSchema(properties)) return new Map();
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) => (isSchema(schema) ? [[name, schema]] : [])),
  );
}

function isRequired({ required }: JsonSchema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

function isAnObject(schema: JsonSchema): boolean {
  return schema["type"] === "object";
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function spelled(schema: JsonSchema): string {
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const type = typeof schema["type"] === "string" ? schema["type"] : canonical(schema);
  const limits = Object.keys(bounds).flatMap((name) =>
    isTold(schema[name]) ? `${name} ${schema[name]}` : [],
  );
  return limits.length === 0 ? type : `${type} (${limits.join(", ")})`;
}

/** What is true of every whole number in JSON is not worth telling. */
function isTold(bound: unknown): boolean {
  return typeof bound === "number" && Math.abs(bound) !== Number.MAX_SAFE_INTEGER;
}

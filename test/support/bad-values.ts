/** From a field's listed schema to values that no such field takes. */

interface Schema {
  type: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
}

export interface ListedTool {
  name: string;
  inputSchema: { properties: Record<string, Schema>; required?: string[] };
}

export const fieldsOf = (tool: ListedTool): [string, Schema][] => Object.entries(tool.inputSchema.properties);

/** Values that a schema cannot say are wrong, by what the field is for. */
const beyondSchemas: Record<string, unknown[]> = {
  request_id: [
    "r1",
    "not-a-uuid",
    `${"0".repeat(8)}-0000-0000-0000-${"0".repeat(13)}`,
    "../../etc/passwd",
    "",
  ],
  session_id: ["\u0007", "a\nb", "../x", " leading", ""],
  name: ["", " ", "a/b", "\u0000", "x".repeat(65), "123e4567-e89b-42d3-a456-426614174000"],
  max_output_tokens: [32_769],
  timeout_ms: [600_001],
};

export function badValuesOf(field: string, schema: Schema): unknown[] {
  return [null, ...wrongTypes(schema), ...outOfRange(schema), ...(beyondSchemas[field] ?? [])];
}

function wrongTypes({ type, enum: names, items }: Schema): unknown[] {
  const others = { string: ["text"], integer: [7], boolean: [true], array: [[]], object: [{}] };
  const foreign = Object.entries(others).flatMap(([name, values]) => (name === type ? [] : values));
  // A number in quotes is a string, whatever it looks like.
  const lookalikes =
    type === "integer" ? ["7", 7.5, "", "NaN"] : type === "boolean" ? ["true", "", 0, 1] : [];
  const strangers = names ? ["none of them", "", names[0]?.toUpperCase()] : [];
  const misfits = items ? [[null], [7], [{}], ["none of them"]] : [];
  return [...foreign, ...lookalikes, ...strangers, ...misfits];
}

function outOfRange({ minimum, maximum, minLength, maxLength, maxItems, items }: Schema): unknown[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1, -1e9]),
    ...(maximum === undefined ? [] : [maximum + 1, 1e300]),
    ...(minLength === undefined ? [] : ["x".repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [Array.from({ length: maxItems + 1 }, () => items?.enum?.[0] ?? "x")]),
  ];
}

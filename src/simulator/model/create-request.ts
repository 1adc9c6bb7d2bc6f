import * as z from "zod";
import { Rejection } from "./api-error.ts";
import { refusalOf } from "./request-refusal.ts";

const withDefault = <Schema extends z.ZodType>(schema: Schema, value: z.output<Schema>) =>
  schema.nullish().transform((given) => given ?? value);

const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((given) => given ?? null);

const inputItem = z.looseObject({
  role: z.string().optional(),
  content: z
    .union([z.string(), z.array(z.looseObject({ type: z.string(), text: z.string().optional() }))])
    .optional(),
});

/** Every parameter of `POST /responses` that the simulator takes; any other is refused by name, as the API does. */
const createRequest = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(inputItem).min(1)]),
  background: withDefault(z.boolean(), false),
  include: z.array(z.string()).nullish(),
  instructions: orNull(z.string()),
  max_output_tokens: orNull(z.int().min(16)),
  max_tool_calls: orNull(z.int().min(1)),
  metadata: withDefault(z.record(z.string().max(64), z.string().max(512)), {}),
  parallel_tool_calls: withDefault(z.boolean(), true),
  previous_response_id: orNull(z.string()),
  prompt_cache_key: orNull(z.string()),
  reasoning: orNull(
    z.looseObject({
      effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullish(),
      summary: z.enum(["auto", "concise", "detailed"]).nullish(),
    }),
  ),
  safety_identifier: orNull(z.string().max(128)),
  service_tier: withDefault(z.enum(["auto", "default", "flex", "scale", "priority"]), "auto"),
  store: withDefault(z.boolean(), true),
  stream: withDefault(z.boolean(), false),
  stream_options: z.looseObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  temperature: withDefault(z.number().min(0).max(2), 1),
  text: orNull(
    z.looseObject({
      format: z.looseObject({ type: z.enum(["text", "json_schema", "json_object"]) }).optional(),
      verbosity: z.enum(["low", "medium", "high"]).nullish(),
    }),
  ),
  tool_choice: z.unknown().optional(),
  tools: withDefault(z.array(z.looseObject({ type: z.string() })), []),
  top_logprobs: withDefault(z.int().min(0).max(20), 0),
  top_p: withDefault(z.number().min(0).max(1), 1),
  truncation: withDefault(z.enum(["auto", "disabled"]), "disabled"),
  user: orNull(z.string()),
});

/** The body of `POST /responses`, with the API's defaults filled in. */
export type CreateRequest = z.output<typeof createRequest>;

/** @throws Rejection (400, naming the parameter) on anything the API would not take. */
export function parseCreateRequest(body: unknown): CreateRequest {
  const parsed = createRequest.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new Rejection(refusalOf(parsed.error.issues[0]));
}

/** The text of each message of the input, whatever form it came in. */
export function inputTexts({ input }: CreateRequest): string[] {
  return typeof input === "string" ? [input] : input.map((item) => textOf(item.content));
}

function textOf(content: z.output<typeof inputItem>["content"]): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map((part) => part.text ?? "").join("");
}

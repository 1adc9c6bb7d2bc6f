/**
 * What is read of upstream's objects. Shapes from the `openai` SDK's types (6.49.0), but nothing is relied upon:
 * compatible servers leave fields out, and an answer that was paid for is not thrown away over an odd one.
 */
import * as z from "zod";
import type { Echo } from "../../../machines/evidence.ts";
import { lenient } from "../upstream/lenient.ts";

const index = lenient(z.number().int().nonnegative());
const text = lenient(z.string());

const annotationSchema = z.object({ type: text, url: text, title: text }).catch({});

const partSchema = z
  .object({ type: text, text, refusal: text, annotations: lenient(z.array(annotationSchema)) })
  .catch({});

const itemSchema = z
  .object({ type: z.string().catch("unknown"), id: text, content: lenient(z.array(partSchema)) })
  .catch({ type: "unknown" });

const anything = z.unknown().optional();
const errorSchema = z.object({ code: anything, type: anything, param: anything });

/** One printable word. What is not could be free text, and what is read here is stored. */
const responseId = z.string().regex(/^[\x21-\x7e]{1,512}$/);

const responseSchema = z.object({
  id: lenient(responseId),
  status: text,
  model: text,
  service_tier: text,
  store: lenient(z.boolean()),
  background: lenient(z.boolean()),
  previous_response_id: lenient(responseId.nullable()),
  error: lenient(errorSchema.nullable()),
  incomplete_details: lenient(z.object({ reason: text }).nullable()),
  output: lenient(z.array(itemSchema)),
  usage: lenient(z.record(z.string(), z.unknown()).nullable()),
});

const eventSchema = z
  .object({
    type: z.string().catch(""),
    sequence_number: index,
    response: lenient(responseSchema),
    output_index: index,
    content_index: index,
    item_id: text,
    item: lenient(itemSchema),
    part: lenient(partSchema),
    annotation: lenient(annotationSchema),
    delta: text,
    text,
    refusal: text,
    code: anything,
  })
  .catch({ type: "" });

export type UpstreamAnnotation = z.infer<typeof annotationSchema>;
export type UpstreamPart = z.infer<typeof partSchema>;
export type UpstreamItem = z.infer<typeof itemSchema>;
export type UpstreamResponse = z.infer<typeof responseSchema>;
export type UpstreamEvent = z.infer<typeof eventSchema>;

/** Reads one event of a stream; whatever it is, something comes out. */
export function readEvent(raw: unknown): UpstreamEvent {
  return eventSchema.parse(raw);
}

/** Reads a Response object; null for anything that is none. */
export function readResponse(raw: unknown): UpstreamResponse | null {
  const response = responseSchema.safeParse(raw).data;
  return response?.id === undefined && response?.status === undefined ? null : response;
}

/** What upstream says it did with our options; silence stays silence. */
export function echoOf(response: UpstreamResponse): Echo {
  return {
    ...(response.store !== undefined && { store: response.store }),
    ...(response.background !== undefined && { background: response.background }),
    ...(response.previous_response_id !== undefined && { previousResponseId: response.previous_response_id }),
  };
}

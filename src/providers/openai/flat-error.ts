/**
 * An `error` event with its facts nested under `error`, as the API sends it, makes the SDK throw, and the
 * `response.failed` that follows is never heard. The flat form of the same event is yielded like any other.
 */
import * as z from "zod";
import { lenient } from "./lenient.ts";

const nestedSchema = z.object({
  sequence_number: lenient(z.number()),
  error: z.object({ code: z.unknown(), type: z.unknown() }),
});

const openings = [
  "event: error\n",
  "event:error\n",
  'data: {"type":"error"',
  'data:{"type":"error"',
  'data: {"error"',
  'data:{"error"',
];

const longestOpening = Math.max(...openings.map((opening) => opening.length));

/** Gives the event back, flattened where it is a nested error. Upstream's message is dropped on the way. */
export function flattenError(event: Buffer): Buffer {
  const start = event.toString("latin1", 0, longestOpening);
  if (!openings.some((opening) => start.startsWith(opening))) return event;
  const nested = nestedSchema.safeParse(dataOf(event.toString("utf8")));
  if (!nested.success) return event;
  const { error, sequence_number } = nested.data;
  const flat = { type: "error", sequence_number, code: error.code ?? error.type };
  return Buffer.from(`event: error\ndata: ${JSON.stringify(flat)}\n\n`);
}

function dataOf(event: string): unknown {
  const lines = event.split("\n").filter((line) => line.startsWith("data:"));
  try {
    return JSON.parse(lines.map((line) => line.slice("data:".length)).join("\n"));
  } catch {
    return undefined;
  }
}

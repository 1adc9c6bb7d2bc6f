/**
 * The API nests an `error` event's facts under `error`, and the SDK throws at that (7.x at the event's name alone), so
 * the `response.failed` that follows is never heard. A flat one without its name is yielded like any other event.
 */
import { z } from "zod";
import { lenient } from "../upstream/lenient.ts";

const facts = { code: z.unknown().optional() };

const errorEventSchema = z.object({
  ...facts,
  sequence_number: lenient(z.number()),
  error: lenient(z.object({ ...facts, type: z.unknown().optional() })),
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

/** Gives the event back, an error as flat and nameless. Upstream's message is dropped on the way. */
export function flattenError(event: Buffer): Buffer {
  const start = event.toString("latin1", 0, longestOpening);
  if (!openings.some((opening) => start.startsWith(opening))) return event;
  const told = errorEventSchema.safeParse(dataOf(event.toString("utf8")));
  if (!told.success) return event;
  const { code, sequence_number, error } = told.data;
  const flat = { type: "error", sequence_number, code: error?.code ?? error?.type ?? code };
  return Buffer.from(`data: ${JSON.stringify(flat)}\n\n`);
}

function dataOf(event: string): unknown {
  const lines = event.split("\n").filter((line) => line.startsWith("data:"));
  try {
    return JSON.parse(lines.map((line) => line.slice("data:".length)).join("\n"));
  } catch {
    return undefined;
  }
}

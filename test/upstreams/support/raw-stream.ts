/** An upstream asked without us in between, to see what it really says. */
import * as z from "zod";
import type { Upstream } from "./upstream.ts";

const eventSchema = z.looseObject({
  type: z.string().optional(),
  response: z.looseObject({ id: z.unknown(), status: z.unknown() }).partial().optional(),
});
export type RawEvent = z.infer<typeof eventSchema>;

export interface RawStream {
  /** The data of every event, in order. */
  events: RawEvent[];
  /** The id in the first event that has one; empty where none has. */
  responseId: string;
}

/** @param body what is asked besides a model, a store and a stream */
export async function rawStream(upstream: Upstream, body: Record<string, unknown>): Promise<RawStream> {
  const reply = await fetch(`${upstream.baseUrl}/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ model: "gpt-somebody-elses", store: true, stream: true, ...body }),
  });
  const lines = (await reply.text()).split("\n").filter((line) => line.startsWith("data: "));
  const events = lines.map((line) => eventSchema.parse(JSON.parse(line.slice("data: ".length))));
  const ids = events.map(({ response }) => response?.id).filter((id) => typeof id === "string");
  return { events, responseId: ids[0] ?? "" };
}

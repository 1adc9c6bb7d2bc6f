/** A response body as the SDK gets to see it: bounded, and a stream in whole events with plain line ends. */
import { createFramer } from "./framer.ts";
import { Oversized } from "./oversized.ts";

/** Handing over each event alone costs a turn of the event loop, handing over everything a copy of the rest. */
const handoverBytes = 4_096;

/**
 * The events of a stream, a few whole ones at a time.
 *
 * @param onCutOff told when the last event had no blank line after it: it may be only half of one
 * @param rewrite what becomes of each event before anybody reads it
 * @throws {Oversized} for an event over `limit` bytes
 */
export async function* framedBody(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  onCutOff: () => void,
  rewrite: (event: Buffer) => Buffer = (event) => event,
): AsyncGenerator<Uint8Array> {
  const framer = createFramer(limit);
  for await (const chunk of body) yield* inHandovers(framer.push(chunk).map(rewrite));
  const last = framer.end();
  if (last === null) return;
  onCutOff();
  yield rewrite(last);
}

/** A document, broken off with {@link Oversized} after `limit` bytes. */
export async function* boundedBody(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new Oversized(limit);
    yield chunk;
  }
}

function* inHandovers(events: Buffer[]): Generator<Uint8Array> {
  let group: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    group.push(event);
    bytes += event.length;
    if (bytes < handoverBytes) continue;
    yield Buffer.concat(group);
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield Buffer.concat(group);
}

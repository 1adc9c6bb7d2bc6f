import { isDelta, isTerminal, type LoggedEvent } from "../model/api-types.ts";
import type { Cut } from "../script/delivery.ts";

/** How much of a piece goes out, and whether that is the last of the stream. */
interface Slice {
  readonly bytes: Buffer;
  readonly last: boolean;
}

/** Takes the pieces of one connection in order: what comes before the first event, then the events. */
export type Cutter = (bytes: Buffer, event?: LoggedEvent) => Slice;

interface Seen {
  events: number;
  deltas: number;
  bytes: number;
}

export function createCutter(after: Cut["after"] | undefined): Cutter {
  const seen: Seen = { events: 0, deltas: 0, bytes: 0 };

  return (bytes, event) => {
    if (event) seen.events += 1;
    if (event && isDelta(event)) seen.deltas += 1;
    const slice = sliceOf(after, seen, bytes, event);
    seen.bytes += slice.bytes.length;
    return slice;
  };
}

function sliceOf(after: Cut["after"] | undefined, seen: Seen, bytes: Buffer, event?: LoggedEvent): Slice {
  if (after === undefined) return { bytes, last: false };
  if (typeof after === "string") return event ? sliceAtLandmark(after, bytes, event) : { bytes, last: false };
  if ("byte" in after) {
    const left = after.byte - seen.bytes;
    return { bytes: bytes.subarray(0, left), last: bytes.length >= left };
  }
  return { bytes, last: "event" in after ? seen.events >= after.event : seen.deltas >= after.delta };
}

function sliceAtLandmark(landmark: Extract<Cut["after"], string>, bytes: Buffer, event: LoggedEvent): Slice {
  switch (landmark) {
    case "created":
      return { bytes, last: event.type === "response.created" };
    case "last_delta":
      return cutBefore(isEndOfText(event) || isTerminal(event), bytes);
    case "before_terminal":
      return cutBefore(isTerminal(event), bytes);
    case "inside_character":
      return cutInsideCharacter(bytes, event);
  }
}

function cutBefore(isPlace: boolean, bytes: Buffer): Slice {
  return { bytes: isPlace ? Buffer.alloc(0) : bytes, last: isPlace };
}

const FIRST_OF_SEVERAL_BYTES = 0xc0;

function cutInsideCharacter(bytes: Buffer, event: LoggedEvent): Slice {
  const head = isDelta(event) ? bytes.findIndex((byte) => byte >= FIRST_OF_SEVERAL_BYTES) : -1;
  return head < 0 ? { bytes, last: false } : { bytes: bytes.subarray(0, head + 1), last: true };
}

function isEndOfText(event: LoggedEvent): boolean {
  return /^response\.(output_text|refusal|function_call_arguments)\.done$/.test(event.type);
}

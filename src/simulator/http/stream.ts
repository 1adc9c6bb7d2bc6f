import { once } from "node:events";
import type { LoggedEvent } from "../model/api-types.ts";
import type { HeldResponse } from "../model/held-response.ts";
import type { Cut, Wire } from "../script/delivery.ts";
import { apiHeaders, breakOff, type Call } from "./call.ts";
import { createCutter } from "./cutter.ts";
import { closing, frameOf, opening } from "./frames.ts";
import { openSink, type Sink } from "./sink.ts";

const GRACE_MS = 50;

/** The way one stream reaches its reader. */
export interface Delivery {
  readonly wire: Wire;
  readonly cut?: Cut | undefined;
  /** Waited for between the last bytes and the break. */
  beforeBreak?(): Promise<void>;
}

/** Streams a response from event number `first` on, to the end, to the cut, or until somebody severs it. */
export async function streamTo(
  call: Call,
  response: HeldResponse,
  first: number,
  delivery: Delivery,
): Promise<"ended" | "cut"> {
  const leave = response.attend((how) => void breakOff(call, how));
  try {
    return await streamEvents(call, response.log.follow(first, call.gone), delivery);
  } finally {
    leave();
  }
}

/** Writes the events as they come, to their end or to the cut. */
async function streamEvents(
  call: Call,
  events: AsyncIterable<readonly [number, LoggedEvent]>,
  delivery: Delivery,
): Promise<"ended" | "cut"> {
  const { wire, cut } = delivery;
  sendHeaders(call, wire);
  const sink = openSink(call.outgoing, wire);
  const isCut = await writeAll(call, events, wire, sink, cut?.after);
  if (isCut && cut) {
    await breakStream(call, sink, cut, delivery.beforeBreak);
    return "cut";
  }
  await sink.write(Buffer.from(closing(wire)));
  if (wire.keepOpen) await silence(call, sink);
  await sink.end();
  return "ended";
}

function sendHeaders(call: Call, wire: Wire): void {
  call.record.status = 200;
  call.outgoing.writeHead(200, {
    ...apiHeaders(),
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...(wire.gzip && { "content-encoding": "gzip" }),
  });
  call.outgoing.flushHeaders();
}

/** Returns whether it came to the place of the cut. */
async function writeAll(
  call: Call,
  events: AsyncIterable<readonly [number, LoggedEvent]>,
  wire: Wire,
  sink: Sink,
  cutAfter: Cut["after"] | undefined,
): Promise<boolean> {
  const cutter = createCutter(cutAfter);
  const before = cutter(Buffer.from(opening(wire)));
  await sink.write(before.bytes);
  if (before.last) return true;
  for await (const [number, event] of events) {
    const frame = Buffer.from(frameOf(wire, number, event));
    const { bytes, last } = cutter(frame, event);
    await sink.write(bytes);
    if (bytes.length === frame.length) call.record.eventsSent += 1;
    if (last) return true;
  }
  return false;
}

async function breakStream(
  call: Call,
  sink: Sink,
  { how, graceMs = GRACE_MS }: Cut,
  beforeBreak: Delivery["beforeBreak"],
): Promise<void> {
  await sink.flush();
  await beforeBreak?.();
  switch (how) {
    case "eof":
      call.record.ended = "cut";
      return sink.end();
    case "silence":
      return silence(call, sink);
    default:
      return breakOff(call, how, graceMs);
  }
}

/** Nothing more, until the reader leaves. */
async function silence(call: Call, sink: Sink): Promise<void> {
  await sink.flush();
  if (!call.gone.aborted) await once(call.gone, "abort");
}

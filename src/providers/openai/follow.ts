/** Following an open stream to its end, whichever end that is. */
import type { LossCause } from "../../../machines/evidence.ts";
import type { ClosingReport, Provider, StreamReport } from "../provider.ts";
import { isEventStream } from "../upstream/media-type.ts";
import { Oversized } from "../upstream/oversized.ts";
import { requestIdIn } from "../upstream/request-id.ts";
import { untilFault } from "../upstream/until-fault.ts";
import { confirmed } from "./confirm.ts";
import { carryOf, type Draft } from "./draft.ts";
import type { Exchange } from "./exchange.ts";
import { isWhole, outcomeOf } from "./outcome.ts";
import { reduce } from "./reduce.ts";
import { settledOf } from "./settled.ts";
import { readEvent } from "./upstream.ts";

/** How long `response.failed` may take to follow an `error` event. Servers have kept the socket open after it. */
const verdictMs = 1_000;

export interface Course {
  exchange: Exchange;
  /** The events as the SDK yields them. */
  events: AsyncIterable<unknown>;
  /** What is known before the first of them. */
  draft: Draft;
  /** Whether the response was accepted earlier, so that the first event only shows that the stream is live. */
  resumed: boolean;
  caller: AbortSignal;
}

export interface FollowParts {
  retrieve: Provider["retrieve"];
  textBytes: number;
}

/** Reports every event, then the one end. Returns at the terminal event without waiting for the connection to end. */
export async function* follow(course: Course, parts: FollowParts): AsyncGenerator<StreamReport> {
  const { exchange, resumed } = course;
  let { draft } = course;
  let before = draft;
  let heard = 0;
  const { events, fault } = untilFault(course.events);

  for await (const raw of events) {
    before = draft;
    draft = reduce(before, readEvent(raw), parts.textBytes);
    heard += 1;
    if (draft.ending !== null) break;
    if (draft.errorCode !== null) exchange.watch.giveUpIn(verdictMs);
    const report = reportOf(before, draft, resumed && heard === 1);
    if (report !== null) yield report;
  }

  if (before.responseId === null && draft.ending?.status === "cancelled") {
    // The request's machine knows no cancelled response that was never accepted.
    const accepted = acceptedOf(draft);
    if (accepted !== null) yield accepted;
  }
  yield await closingOf({ ...course, draft, heard, fault: fault() }, parts);
}

function reportOf(before: Draft, draft: Draft, live: boolean): StreamReport | null {
  if (live) return { type: "attached" };
  if (before.responseId === null) return acceptedOf(draft);
  return { type: "progress", chars: draft.chars, sequence: draft.after };
}

/** Null before upstream gave a response id. */
export function acceptedOf({ responseId, model, after, echo }: Draft): StreamReport | null {
  return responseId === null ? null : { type: "upstream.accepted", responseId, model, sequence: after, echo };
}

interface End extends Course {
  heard: number;
  /** What the iteration threw, if it did. */
  fault: unknown;
}

async function closingOf(end: End, { retrieve, textBytes }: FollowParts): Promise<ClosingReport> {
  const { draft, exchange, caller } = end;
  const settled = settledOf(draft, { textBytes, requestId: requestIdIn(exchange.facts.reply?.headers) });
  if (settled !== null) {
    return settled.type === "upstream.failed" || isWhole(draft)
      ? settled
      : ((await confirmed(draft, retrieve, caller)) ?? settled);
  }
  const cause = lossOf(end);
  const found = cause === "stream_error" ? await confirmed(draft, retrieve, caller) : null;
  return found ?? brokenOff(draft, cause, exchange, caller, textBytes);
}

/** The report for a stream that ended without its terminal event. */
export function brokenOff(
  draft: Draft,
  cause: LossCause,
  { facts }: Exchange,
  caller: AbortSignal,
  textBytes: number,
): ClosingReport {
  const carry = carryOf(draft);
  if (caller.aborted) return { type: "aborted", partial: outcomeOf(draft, textBytes, "cancelled"), carry };
  const requestId = requestIdIn(facts.reply?.headers);
  return {
    type: "upstream.lost",
    cause,
    ...(requestId !== undefined && { upstreamRequestId: requestId }),
    partial: outcomeOf(draft, textBytes, null),
    carry,
  };
}

function lossOf({ exchange, draft, heard, fault }: End): LossCause {
  const { facts, watch } = exchange;
  if (fault instanceof Oversized) return "oversized";
  if (draft.errorCode !== null || exchange.isUpstreams(fault)) return "stream_error";
  if (watch.interruption === "idle") return "idle";
  if (heard === 0 && (fault === null || !saysEvents(facts))) return "not_a_stream";
  if (fault instanceof SyntaxError) return facts.cutOff ? "ended" : "malformed";
  return fault === null ? "ended" : "reset";
}

function saysEvents({ reply }: Exchange["facts"]): boolean {
  return reply?.status === 200 && isEventStream(reply.headers);
}

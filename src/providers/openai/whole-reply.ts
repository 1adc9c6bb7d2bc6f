/** A JSON document in place of the stream that was asked for: a complete answer, or the promise of one. */
import type { LossCause } from "../../../machines/evidence.ts";
import type { StreamReport } from "../provider.ts";
import { Oversized } from "../upstream/oversized.ts";
import { requestIdIn } from "../upstream/request-id.ts";
import type { Draft } from "./draft.ts";
import type { Exchange } from "./exchange.ts";
import { acceptedOf, brokenOff, type Course } from "./follow.ts";
import { draftOf } from "./reduce.ts";
import { settledOf } from "./settled.ts";
import { readResponse } from "./upstream.ts";

/** Reports what the document says; one that is no Response tells nothing about what upstream did. */
export async function* followWhole(
  { exchange, draft: start, resumed, caller }: Omit<Course, "events">,
  response: Response,
  textBytes: number,
): AsyncGenerator<StreamReport> {
  const read = await readWhole(response, start, exchange);
  if (typeof read === "string") {
    yield brokenOff(start, read, exchange, caller, textBytes);
    return;
  }
  const settled = settledOf(read, { textBytes, requestId: requestIdIn(response.headers) });
  const accepted = acceptedOf(read);
  const news = settled === null || settled.type === "upstream.cancelled";
  if (!resumed && news && accepted !== null) yield accepted;
  yield settled ?? brokenOff(read, "ended", exchange, caller, textBytes);
}

async function readWhole(response: Response, start: Draft, exchange: Exchange): Promise<Draft | LossCause> {
  try {
    const document = readResponse(JSON.parse(await response.text()));
    const draft = document && draftOf(document, start.responseId);
    return draft === null || draft.responseId === null ? "not_a_stream" : draft;
  } catch (error) {
    if (error instanceof SyntaxError) return "not_a_stream";
    if (error instanceof Oversized) return "oversized";
    return exchange.watch.interruption === "idle" ? "idle" : "reset";
  }
}

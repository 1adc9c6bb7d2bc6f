/** From a call that asks for a stream to its reports, whatever comes back in place of one. */
import type { OpenAI } from "openai";
import type { ClosingReport, StreamReport } from "../provider.ts";
import { isJson } from "../upstream/media-type.ts";
import type { Draft } from "./draft.ts";
import type { Exchange, OpenExchange } from "./exchange.ts";
import { type FollowParts, follow } from "./follow.ts";
import { followWhole } from "./whole-reply.ts";

export interface ReportParts extends FollowParts {
  open: OpenExchange;
}

interface Begun {
  data: AsyncIterable<unknown>;
  response: Response;
}

/** A stream to be opened: what is asked, and what it means that it did not open. */
export interface Attempt {
  purpose: "send" | "resume";
  clientRequestId?: string;
  caller: AbortSignal;
  /** What is known of the response before the stream's first event. */
  draft: Draft;
  ask(client: OpenAI): PromiseLike<Begun>;
  unopened(error: unknown, exchange: Exchange): ClosingReport;
}

/** Opens the exchange, follows it and closes it, also where the reader leaves early. */
export async function* reportsOf(attempt: Attempt, parts: ReportParts): AsyncGenerator<StreamReport> {
  const exchange = await parts
    .open({ ...attempt, signal: attempt.caller, expects: "stream" })
    .catch((error: unknown) => error);
  if (!isExchange(exchange)) {
    yield notEvenBegun(attempt);
    return;
  }
  const course = { ...attempt, exchange, resumed: attempt.purpose === "resume" };
  try {
    const begun = await opened(attempt, exchange);
    if ("type" in begun) yield begun;
    else if (isJson(begun.response.headers)) yield* followWhole(course, begun.response, parts.textBytes);
    else yield* follow({ ...course, events: begun.data }, parts);
  } finally {
    exchange.close();
  }
}

/** What could not be loaded sent nothing: a paid call is free to be made anew, a response can still be asked for. */
function notEvenBegun({ purpose }: Attempt): ClosingReport {
  return purpose === "send"
    ? { type: "upstream.rejected", failure: { code: "not_sent", cause: "client_not_loaded" } }
    : { type: "upstream.lost", cause: "stream_error", partial: null, carry: null };
}

function isExchange(opened: unknown): opened is Exchange {
  return typeof opened === "object" && opened !== null && "facts" in opened;
}

async function opened(attempt: Attempt, exchange: Exchange): Promise<Begun | ClosingReport> {
  try {
    return await attempt.ask(exchange.client);
  } catch (error) {
    return attempt.unopened(error, exchange);
  }
}

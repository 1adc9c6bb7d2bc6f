/** One HTTP exchange: a `fetch` for this call alone, a watch over it, and what is known of it for certain. */
import { createOneFetch, type Facts, type OneFetchParts } from "./one-fetch.ts";
import { requestIdIn } from "./request-id.ts";
import type { Transport } from "./transport.ts";
import { createWatch, type Watch, type WatchLimits } from "./watch.ts";

/** Metadata only. */
export interface ExchangeLog {
  event(name: string, fields: Record<string, unknown>): void;
}

export interface Exchange {
  /** Makes the one request, for an SDK or for whoever speaks HTTP themselves. */
  readonly fetch: typeof globalThis.fetch;
  readonly watch: Watch;
  readonly facts: Readonly<Facts>;
  /** Notes that the stream's last piece had no end. */
  markCutOff(): void;
  /** Stops the clocks, lets go of the connection, and logs what the exchange came to. */
  close(): void;
}

export interface ExchangeParts extends Pick<OneFetchParts, "headers" | "streamed"> {
  transport: Transport;
  /** `eventBytes`: most bytes of one event of a stream, or of one document. */
  limits: WatchLimits & { eventBytes: number };
  /** What it is for, in the log. */
  purpose: "send" | "resume" | "retrieve" | "cancel";
  /** Ends the exchange from outside. */
  signal: AbortSignal;
  log: ExchangeLog | undefined;
}

/** Whoever opens one closes it. */
export function openExchange({
  transport,
  limits,
  purpose,
  signal,
  log,
  headers,
  streamed,
}: ExchangeParts): Exchange {
  const watch = createWatch(limits, signal);
  const facts: Facts = { sent: false, reply: null, fault: null, cutOff: false };
  const begun = performance.now();
  return {
    fetch: createOneFetch({ ...transport, headers, streamed, eventBytes: limits.eventBytes, watch, facts }),
    watch,
    facts,
    markCutOff() {
      facts.cutOff = true;
    },
    close() {
      watch.over();
      log?.event("upstream.exchange", {
        purpose,
        status: facts.reply?.status ?? null,
        upstream_request_id: requestIdIn(facts.reply?.headers) ?? null,
        interruption: watch.interruption,
        duration_ms: Math.round(performance.now() - begun),
      });
    },
  };
}

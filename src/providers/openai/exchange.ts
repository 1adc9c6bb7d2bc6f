/** One HTTP exchange: an SDK client for this call alone, a watch over it, and what is known of it for certain. */
import type { OpenAI } from "openai";
import { createClient } from "./client.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Libraries } from "./libraries.ts";
import { createOneFetch, type Facts } from "./one-fetch.ts";
import { requestIdIn } from "./request-id.ts";
import { createWatch, type Watch, type WatchLimits } from "./watch.ts";

export interface Exchange {
  readonly client: OpenAI;
  readonly watch: Watch;
  readonly facts: Readonly<Facts>;
  /** Whether an error is the SDK's word for one that upstream sent. */
  isUpstreams(error: unknown): boolean;
  /** Stops the clocks, lets go of the connection, and logs what the exchange came to. */
  close(): void;
}

/** Metadata only. */
export interface ExchangeLog {
  event(name: string, fields: Record<string, unknown>): void;
}

export interface ExchangeOptions {
  /** What it is for, in the log. */
  purpose: "send" | "resume" | "retrieve" | "cancel";
  /** Ends the exchange from outside. */
  signal: AbortSignal;
  expects: "stream" | "json";
  /** Sent as `X-Client-Request-Id`. */
  clientRequestId?: string;
}

export type OpenExchange = (options: ExchangeOptions) => Promise<Exchange>;

export interface ExchangeParts {
  endpoint: Endpoint;
  /** `eventBytes`: most bytes of one event of a stream, or of one document. */
  limits: WatchLimits & { eventBytes: number };
  libraries: () => Promise<Libraries>;
  log: ExchangeLog | undefined;
}

/** Gives a function that opens exchanges with one endpoint. Whoever opens one closes it. */
export function createExchanges({ endpoint, limits, libraries, log }: ExchangeParts): OpenExchange {
  return async (options) => {
    const { OpenAI, fetch, agent } = await libraries();
    const watch = createWatch(limits, options.signal);
    const facts: Facts = { sent: false, reply: null, fault: null, cutOff: false };
    const begun = performance.now();

    const once = createOneFetch({
      fetch,
      agent,
      endpoint,
      saying: options,
      eventBytes: limits.eventBytes,
      watch,
      facts,
    });

    return {
      client: createClient(OpenAI, endpoint, once),
      watch,
      facts,
      isUpstreams: (error) => error instanceof OpenAI.APIError,
      close() {
        watch.over();
        log?.event("upstream.exchange", {
          purpose: options.purpose,
          status: facts.reply?.status ?? null,
          upstream_request_id: requestIdIn(facts.reply?.headers) ?? null,
          interruption: watch.interruption,
          duration_ms: Math.round(performance.now() - begun),
        });
      },
    };
  };
}

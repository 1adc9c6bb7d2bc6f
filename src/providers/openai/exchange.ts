/** Exchanges with one endpoint, each with an SDK client for it alone. */
import type { OpenAI } from "openai";
import { type ExchangeLog, openExchange, type Exchange as PlainExchange } from "../upstream/exchange.ts";
import { framedBody } from "../upstream/framed-body.ts";
import type { WatchLimits } from "../upstream/watch.ts";
import { createClient } from "./client.ts";
import type { Endpoint } from "./endpoint.ts";
import { flattenError } from "./flat-error.ts";
import { headersFor } from "./headers.ts";
import type { Libraries } from "./libraries.ts";

export interface Exchange extends Omit<PlainExchange, "fetch"> {
  readonly client: OpenAI;
  /** Whether an error is the SDK's word for one that upstream sent. */
  isUpstreams(error: unknown): boolean;
}

export interface ExchangeOptions {
  purpose: "send" | "resume" | "retrieve" | "cancel";
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
    const { OpenAI, ...transport } = await libraries();
    const { fetch, ...exchange } = openExchange({
      transport,
      limits,
      log,
      purpose: options.purpose,
      signal: options.signal,
      headers: (hasBody) => headersFor(endpoint, { ...options, hasBody }),
      streamed:
        options.expects === "stream"
          ? (body, onCutOff) => framedBody(body, limits.eventBytes, onCutOff, flattenError)
          : null,
    });
    return {
      ...exchange,
      client: createClient(OpenAI, endpoint, fetch),
      isUpstreams: (error) => error instanceof OpenAI.APIError,
    };
  };
}

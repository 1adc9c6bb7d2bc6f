/** The OpenAI Responses API as a provider: background responses, streamed, stored, chained by response id. */
import type { Provider } from "../provider.ts";
import type { ExchangeLog } from "../upstream/exchange.ts";
import { createAsking } from "./ask.ts";
import { type EndpointOptions, endpointOf } from "./endpoint.ts";
import { createExchanges } from "./exchange.ts";
import { createLibraries } from "./libraries.ts";
import { createStreaming } from "./stream.ts";

export interface OpenAIProviderOptions extends EndpointOptions {
  /** How long upstream may take until its first byte, connecting included; ms. */
  firstByteMs: number;
  /** How long a reply may be silent after that; ms. Any byte counts, comments and keepalives included. */
  idleMs: number;
  limits: {
    /** Most bytes of UTF-8 that text and refusal of an answer may have together; the rest is cut off. */
    textBytes: number;
    /** Most bytes of one event of a stream, or of one JSON document. */
    eventBytes: number;
  };
  /** Told once about each exchange: purpose, status, upstream's request id, duration. Never content. */
  log?: ExchangeLog | undefined;
  /** Wall time in ms, for `Retry-After` dates. */
  now?: () => number;
}

/**
 * Makes the provider. Nothing is loaded and nothing connected before the first call.
 *
 * @throws {ClaimcheckError} `key_missing` or `config_invalid`, for an endpoint that must not or cannot be used
 */
export function createOpenAIProvider(options: OpenAIProviderOptions): Provider {
  const { firstByteMs, idleMs, log, now = Date.now } = options;
  const { textBytes, eventBytes } = options.limits;
  const endpoint = endpointOf(options);
  const open = createExchanges({
    endpoint,
    limits: { firstByteMs, idleMs, eventBytes },
    libraries: createLibraries(),
    log,
  });
  const asking = createAsking({ open, textBytes, now });
  return {
    name: "openai",
    capabilities: {
      retrieve: true,
      background: true,
      cancel: true,
      chaining: true,
      schema: true,
    },
    fingerprint: endpoint.fingerprint,
    ...asking,
    ...createStreaming({ open, textBytes, now, retrieve: asking.retrieve }),
  };
}

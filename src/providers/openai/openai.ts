/** The OpenAI Responses API as a provider: background responses, streamed, stored, chained by response id. */
import type { Provider } from "../provider.ts";
import type { HttpProviderOptions } from "../upstream/options.ts";
import { createAsking } from "./ask.ts";
import { type EndpointOptions, endpointOf } from "./endpoint.ts";
import { createExchanges } from "./exchange.ts";
import { createLibraries } from "./libraries.ts";
import { createStreaming } from "./stream.ts";

export interface OpenAIProviderOptions extends EndpointOptions, HttpProviderOptions {}

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

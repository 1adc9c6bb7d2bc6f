import type { Anthropic } from "@anthropic-ai/sdk";
import type { Endpoint } from "../upstream/endpoint.ts";

/**
 * An SDK client that does everything through the given fetch. Every option that an `ANTHROPIC_*` variable or a profile
 * on disk would fill in is given: a key passed in code is the client's only credential, and `ANTHROPIC_LOG` would print
 * to stdout, which is the protocol's.
 */
export function createClient(sdk: typeof Anthropic, endpoint: Endpoint, once: typeof fetch): Anthropic {
  return new sdk({
    apiKey: endpoint.apiKey,
    baseURL: endpoint.baseUrl,
    webhookKey: null,
    maxRetries: 0,
    openTelemetry: false,
    logLevel: "off",
    logger: muted,
    fetch: once,
  });
}

const mute = () => undefined;
const muted = { error: mute, warn: mute, info: mute, debug: mute };

/** The whole of what is said about us; the SDK's own headers stay here. */
export function headersFor({ apiKey }: Endpoint, hasBody: boolean): Record<string, string> {
  return {
    accept: "text/event-stream",
    "x-api-key": apiKey,
    "anthropic-version": "2023-06-01",
    "user-agent": "claimcheck",
    ...(hasBody && { "content-type": "application/json" }),
  };
}

import type { OpenAI } from "openai";
import type { Endpoint } from "./endpoint.ts";

/**
 * An SDK client that does everything through the given fetch.
 *
 * Every option that an `OPENAI_*` variable would fill in is given: `OPENAI_LOG` alone would print to stdout,
 * which is the protocol's. What `OPENAI_CUSTOM_HEADERS` adds is dropped with the SDK's other headers.
 */
export function createClient(sdk: typeof OpenAI, endpoint: Endpoint, once: typeof fetch): OpenAI {
  return new sdk({
    apiKey: endpoint.apiKey,
    baseURL: endpoint.baseUrl,
    organization: endpoint.organization,
    project: endpoint.project,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    logger: muted,
    fetch: once,
  });
}

const mute = () => undefined;
const muted = { error: mute, warn: mute, info: mute, debug: mute };

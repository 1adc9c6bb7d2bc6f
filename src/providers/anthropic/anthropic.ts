/** Anthropic's Messages API as a provider: streamed, with the whole conversation in each call, and nothing kept. */
import type { Anthropic } from "@anthropic-ai/sdk";
import * as z from "zod";
import type { PaidCall, Provider, StreamReport } from "../provider.ts";
import { type EndpointNames, endpointOf } from "../upstream/endpoint.ts";
import { type Exchange, openExchange } from "../upstream/exchange.ts";
import { framedBody } from "../upstream/framed-body.ts";
import { identifier } from "../upstream/identifier.ts";
import type { HttpProviderOptions } from "../upstream/options.ts";
import type { HttpRefusal } from "../upstream/refusal.ts";
import { requestIdIn } from "../upstream/request-id.ts";
import { retryAfterMs } from "../upstream/retry-after.ts";
import { askedInVain, textReports } from "../upstream/text-stream.ts";
import { loadOnce, loadTransport, type Transport } from "../upstream/transport.ts";
import { createClient, headersFor } from "./client.ts";
import { cannot, messageBody, reduceMessage } from "./message.ts";

export interface AnthropicProviderOptions extends HttpProviderOptions {
  apiKey: string;
  /** The API's root, such as `https://api.anthropic.com`: https, or http on a loopback address. */
  baseUrl: string;
}

const names: EndpointNames = {
  provider: "anthropic",
  key: "ANTHROPIC_API_KEY",
  baseUrl: "ANTHROPIC_BASE_URL",
  example: "https://api.anthropic.com",
};

interface Libraries extends Transport {
  sdk: typeof Anthropic;
  isApiError(error: unknown): boolean;
}

/**
 * Makes the provider. Nothing is loaded and nothing connected before the first call.
 *
 * @throws {ClaimcheckError} `key_missing` or `config_invalid`, for an endpoint that must not or cannot be used
 */
export function createAnthropicProvider(options: AnthropicProviderOptions): Provider {
  const { firstByteMs, idleMs, limits, log, now = Date.now } = options;
  const endpoint = endpointOf(options, names);
  const libraries = loadOnce(loadLibraries);

  function send(call: PaidCall, caller: AbortSignal): AsyncIterable<StreamReport> {
    let sdk: Libraries | null = null;
    return textReports({
      async open() {
        sdk = await libraries();
        return openExchange({
          transport: sdk,
          limits: { firstByteMs, idleMs, eventBytes: limits.eventBytes },
          purpose: "send",
          signal: caller,
          log,
          headers: (hasBody) => headersFor(endpoint, hasBody),
          streamed: (body, onCutOff) => framedBody(body, limits.eventBytes, onCutOff),
        });
      },
      async ask({ fetch }) {
        if (sdk === null) throw new Error("The exchange was not opened.");
        return createClient(sdk.sdk, endpoint, fetch).messages.create(messageBody(call));
      },
      refusalOf: (error, exchange) => refusalIn(error, exchange, now()),
      isUpstreams: (error) => sdk?.isApiError(error) ?? false,
      reduce: (draft, event) => reduceMessage(draft, event, limits.textBytes),
      caller,
      textBytes: limits.textBytes,
    });
  }

  return {
    name: "anthropic",
    capabilities: { retrieve: false, background: false, cancel: false, chaining: false, schema: true },
    fingerprint: endpoint.fingerprint,
    cannot,
    send,
    ...askedInVain,
  };
}

async function loadLibraries(): Promise<Libraries> {
  const [{ Anthropic, APIError }, transport] = await Promise.all([
    import("@anthropic-ai/sdk"),
    loadTransport(),
  ]);
  return { ...transport, sdk: Anthropic, isApiError: (error) => error instanceof APIError };
}

/** `{"type":"error","error":{"type":"…","message":"…"}}`, as the SDK hands it on. */
const envelope = z.object({ error: z.object({ error: z.object({ type: z.unknown().optional() }) }) });

function refusalIn(error: unknown, { facts: { reply } }: Exchange, now: number): HttpRefusal | null {
  if (reply === null || (reply.status >= 200 && reply.status < 300)) return null;
  const said = envelope.safeParse(error).data?.error.error;
  const requestId = requestIdIn(reply.headers);
  return {
    status: reply.status,
    upstreamCode: codeOf(identifier(said?.type, 128)),
    upstreamParam: undefined,
    requestId,
    enveloped: said !== undefined && requestId !== undefined,
    retryAfterMs: retryAfterMs(reply.headers, now),
  };
}

/** On this path a 404 is said of a model, and money that ran out is never worth another try. */
function codeOf(type: string | undefined): string | undefined {
  if (type === "not_found_error") return "model_not_found";
  return type === "billing_error" ? "insufficient_quota" : type;
}

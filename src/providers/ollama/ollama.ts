/** Ollama's native chat API as a provider: streamed, with the whole conversation in each call, and nothing kept. */
import { createHash } from "node:crypto";
import type { PaidCall, Provider, StreamReport } from "../provider.ts";
import { type Exchange, openExchange } from "../upstream/exchange.ts";
import { isJson } from "../upstream/media-type.ts";
import type { HttpProviderOptions } from "../upstream/options.ts";
import type { HttpRefusal } from "../upstream/refusal.ts";
import { retryAfterMs } from "../upstream/retry-after.ts";
import { askedInVain, textReports } from "../upstream/text-stream.ts";
import { loadOnce, loadTransport } from "../upstream/transport.ts";
import { chatBody, promptChars, reduceChat } from "./chat.ts";
import { documentsIn } from "./lines.ts";

export interface OllamaProviderOptions extends HttpProviderOptions {
  /** The server's root, such as `http://127.0.0.1:11434`: https, or http on a loopback address. */
  baseUrl: string;
  /** Tokens of context to ask for. */
  numCtx: number;
}

/** Nothing is loaded and nothing connected before the first call. */
export function createOllamaProvider(options: OllamaProviderOptions): Provider {
  const { baseUrl, numCtx, firstByteMs, idleMs, limits, log, now = Date.now } = options;
  const transport = loadOnce(loadTransport);

  const open = async (signal: AbortSignal) =>
    openExchange({
      transport: await transport(),
      limits: { firstByteMs, idleMs, eventBytes: limits.eventBytes },
      purpose: "send",
      signal,
      log,
      headers: headersFor,
      streamed: (body) => body,
    });

  function send(call: PaidCall, caller: AbortSignal): AsyncIterable<StreamReport> {
    const reading = {
      responseId: `ollama_${call.requestId}`,
      numCtx,
      promptChars: promptChars(call),
      textBytes: limits.textBytes,
    };
    return textReports({
      open: () => open(caller),
      ask: (exchange) => ask(exchange, `${baseUrl}/api/chat`, chatBody(call, numCtx), limits.eventBytes),
      refusalOf: (error, exchange) => refusalIn(error, exchange, now()),
      reduce: (draft, event) => reduceChat(draft, event, reading),
      caller,
      textBytes: limits.textBytes,
    });
  }

  return {
    name: "ollama",
    capabilities: { retrieve: false, background: false, cancel: false, chaining: false, schema: true },
    fingerprint: fingerprintOf(baseUrl),
    cannot: ({ reasoning_effort, verbosity }) => [
      ...(reasoning_effort === undefined ? [] : ["reasoning_effort"]),
      ...(verbosity === undefined ? [] : ["verbosity"]),
    ],
    send,
    ...askedInVain,
  };
}

/** A reply that is no stream of documents. */
class NoStream extends Error {}

async function ask({ fetch, markCutOff }: Exchange, url: string, body: object, lineBytes: number) {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new NoStream();
  }
  // A whole document in place of a stream is a stream of one.
  return documentsIn(bytesOf(response.body), lineBytes, isJson(response.headers) ? () => {} : markCutOff);
}

async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The server says what is wrong in a sentence, which may quote the prompt: only its status counts. */
function refusalIn(_error: unknown, { facts }: Exchange, now: number): HttpRefusal | null {
  const { reply } = facts;
  if (reply === null || (reply.status >= 200 && reply.status < 300)) return null;
  return {
    status: reply.status,
    // 404 is said of a model that was not pulled, and of nothing else on this path.
    upstreamCode: reply.status === 404 ? "model_not_found" : undefined,
    upstreamParam: undefined,
    requestId: undefined,
    enveloped: false,
    retryAfterMs: retryAfterMs(reply.headers, now),
  };
}

function headersFor(hasBody: boolean): Record<string, string> {
  return {
    accept: "application/x-ndjson",
    "user-agent": "claimcheck",
    ...(hasBody && { "content-type": "application/json" }),
  };
}

function fingerprintOf(baseUrl: string): string {
  return createHash("sha256").update(`claimcheck ollama 1\0${baseUrl}`).digest("hex").slice(0, 16);
}

/** The `fetch` an SDK client is given for one call: our headers, our clocks, a bounded body, and the facts noted. */
import { ReadableStream } from "node:stream/web";
import type { Response as UndiciResponse } from "undici";
import { boundedBody } from "./framed-body.ts";
import { isJson } from "./media-type.ts";
import { observed } from "./observed.ts";
import type { Transport } from "./transport.ts";
import type { Watch } from "./watch.ts";

export interface Facts {
  /** Whether the request may have left; false proves that upstream never had it. */
  sent: boolean;
  /** The status line and headers, once they are here. */
  reply: { status: number; headers: Headers } | null;
  /** What the transport threw in place of a reply. */
  fault: unknown;
  /** Whether the stream's last event came without its blank line. */
  cutOff: boolean;
}

export interface OneFetchParts extends Transport {
  /** All that is said about us, whatever an SDK would say. */
  headers(hasBody: boolean): Record<string, string>;
  /** How a stream's body is handed on; null where a document is expected. `onCutOff`: it may have ended early. */
  streamed: ((body: AsyncIterable<Uint8Array>, onCutOff: () => void) => AsyncIterable<Uint8Array>) | null;
  /** Most bytes of one document. */
  eventBytes: number;
  watch: Watch;
  /** Written to as they become known. */
  facts: Facts;
}

export function createOneFetch(parts: OneFetchParts): typeof globalThis.fetch {
  const { facts } = parts;
  return async (url, init) => {
    try {
      const response = await exchanged(parts, String(url), init?.method, init?.body);
      const headers = new Headers([...response.headers]);
      facts.reply = { status: response.status, headers };
      return new Response(bodyOf(parts, response, headers), { status: response.status, headers });
    } catch (error) {
      facts.fault = error;
      throw error;
    }
  };
}

function exchanged(parts: OneFetchParts, url: string, method = "GET", body: unknown = null) {
  const { fetch, agent, headers, watch, facts } = parts;
  const events = {
    wanted: () => !watch.signal.aborted,
    leaving: () => {
      facts.sent = true;
    },
    heard: watch.heard,
  };
  return fetch(url, {
    method,
    headers: headers(body !== null),
    body: typeof body === "string" ? body : null,
    signal: watch.signal,
    // A redirect that is followed would be a second POST.
    redirect: "manual",
    dispatcher: observed(agent, events),
  });
}

function bodyOf(
  { streamed, eventBytes, facts }: OneFetchParts,
  { body, ok }: UndiciResponse,
  headers: Headers,
) {
  if (body === null) return null;
  if (!ok || streamed === null || isJson(headers)) return ReadableStream.from(boundedBody(body, eventBytes));
  const onCutOff = () => {
    facts.cutOff = true;
  };
  return ReadableStream.from(streamed(body, onCutOff));
}

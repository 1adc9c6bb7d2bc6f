/** Asking about a response, and asking for its end. Generates nothing, costs nothing, may be repeated. */
import type { OpenAI } from "openai";
import type { Provider, Retrieval } from "../provider.ts";
import { requestIdIn } from "../upstream/request-id.ts";
import type { ExchangeOptions, OpenExchange } from "./exchange.ts";
import { failedRetrieval, readRetrieval } from "./retrieval.ts";

export interface AskParts {
  open: OpenExchange;
  textBytes: number;
  /** Wall time in ms. */
  now: () => number;
}

export function createAsking({ open, textBytes, now }: AskParts): Pick<Provider, "retrieve" | "cancel"> {
  /** The SDK's own parsing throws on a message without content or a response without output, so it is left out. */
  async function asked(
    responseId: string,
    options: Pick<ExchangeOptions, "purpose" | "signal">,
    request: (client: OpenAI) => { asResponse(): Promise<Response> },
  ): Promise<Retrieval> {
    const exchange = await open({ ...options, expects: "json" }).catch(() => null);
    if (exchange === null) return notLoaded;
    try {
      const response = await request(exchange.client).asResponse();
      return readRetrieval(await response.text(), responseId, textBytes, requestIdIn(response.headers));
    } catch (error) {
      return failedRetrieval(error, exchange, now());
    } finally {
      exchange.close();
    }
  }

  function retrieve(responseId: string, signal: AbortSignal): Promise<Retrieval> {
    return asked(responseId, { purpose: "retrieve", signal }, ({ responses }) =>
      responses.retrieve(responseId),
    );
  }

  async function cancel(responseId: string, signal: AbortSignal): Promise<Retrieval> {
    const reply = await asked(responseId, { purpose: "cancel", signal }, ({ responses }) =>
      responses.cancel(responseId),
    );
    return saysNothing(reply) ? stateAfter(reply, await retrieve(responseId, signal)) : reply;
  }

  return { retrieve, cancel };
}

const notLoaded: Retrieval = {
  type: "retrieval.faulted",
  failure: { code: "connection_failed", cause: "client_not_loaded" },
  retryAfterMs: null,
};

/** A response that goes on all the same was not cancelled: the asking failed, and may be repeated. */
function stateAfter(refusal: Retrieval, state: Retrieval): Retrieval {
  return state.type === "retrieval.pending" ? refusal : state;
}

/** "Cannot be cancelled" is how servers answer for what is finished, or foreground, or not there; the state tells. */
function saysNothing(reply: Retrieval): boolean {
  if (reply.type === "retrieval.missing") return true;
  if (reply.type !== "retrieval.faulted") return false;
  const { status, cause } = reply.failure;
  return status === 400 || status === 409 || (status !== undefined && status < 300 && cause === "malformed");
}

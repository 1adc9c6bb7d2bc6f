/** A person as a provider: the prompt goes out, and the answer comes back whenever they bring it. */
import type { Outcome } from "../../../machines/evidence.ts";
import type { PaidCall, Provider, Retrieval, StreamReport } from "../provider.ts";
import { promptFor } from "./prompt.ts";

export function createManualProvider(): Provider {
  return {
    name: "manual",
    capabilities: { retrieve: false, background: false, cancel: false, chaining: false, schema: false },
    // There is no endpoint and no key: whoever has the database may answer.
    fingerprint: "manual",
    person: { promptFor, answerOf },
    send: handOver,
    resume: () => handOver(null),
    retrieve: async () => notThere,
    cancel: async () => notThere,
  };
}

/** Nothing leaves. The id only says in the journal whose answer it will be. */
async function* handOver(call: PaidCall | null): AsyncIterable<StreamReport> {
  if (call !== null) {
    yield {
      type: "upstream.accepted",
      responseId: `manual_${call.requestId}`,
      model: null,
      sequence: null,
      echo: {},
    };
  }
  yield { type: "handed_over" };
}

/** A person cannot be asked by id. Never a fact about the answer, so it ends nothing. */
const notThere: Retrieval = {
  type: "retrieval.faulted",
  failure: { code: "request_rejected", cause: "nobody_to_ask" },
  retryAfterMs: null,
};

function answerOf(responseId: string, text: string): Outcome {
  return {
    responseId,
    model: null,
    text,
    refusal: null,
    reason: null,
    usage: null,
    citations: [],
    kinds: ["message"],
    fullChars: text.length,
    truncated: false,
    serviceTier: null,
    echo: {},
  };
}

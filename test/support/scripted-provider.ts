/** A provider that does what a test says, step by step: nothing happens between the steps. */
import type { Outcome } from "../../machines/evidence.ts";
import type { PaidCall, Provider, Retrieval, StreamReport } from "../../src/providers/provider.ts";

export interface ScriptedProvider extends Provider {
  /** Every paid call, in order. One request, one entry: that is what all of this is about. */
  readonly sent: PaidCall[];
  readonly retrieved: string[];
  readonly cancelled: string[];
  readonly resumed: string[];
  /** Reports of the next paid call, or how to make them while it runs. */
  nextStream(reports: Script): void;
  nextResume(reports: Script): void;
  /** Replies of the next retrievals; the last one repeats. */
  retrievals(...replies: Retrieval[]): void;
  cancels(...replies: Retrieval[]): void;
}

export type Script =
  | readonly StreamReport[]
  | ((signal: AbortSignal, call: PaidCall | null) => AsyncIterable<StreamReport>);

export function scriptedProvider(name = "openai", fingerprint = "endpoint-1"): ScriptedProvider {
  const streams: Script[] = [];
  const resumes: Script[] = [];
  let retrievals: Retrieval[] = [{ type: "retrieval.missing" }];
  let cancels: Retrieval[] = [{ type: "retrieval.missing" }];
  const provider: ScriptedProvider = {
    name,
    fingerprint,
    capabilities: {
      retrieve: true,
      background: true,
      cancel: true,
      chaining: true,
      schema: true,
    },
    sent: [],
    retrieved: [],
    cancelled: [],
    resumed: [],
    nextStream: (script) => void streams.push(script),
    nextResume: (script) => void resumes.push(script),
    retrievals(...replies) {
      retrievals = replies;
    },
    cancels(...replies) {
      cancels = replies;
    },
    send(call, signal) {
      provider.sent.push(call);
      return play(streams.shift() ?? [lost("reset")], signal, call);
    },
    resume(responseId, _carry, signal) {
      provider.resumed.push(responseId);
      return play(resumes.shift() ?? [lost("stream_error")], signal, null);
    },
    async retrieve(responseId) {
      provider.retrieved.push(responseId);
      return nextOf(retrievals);
    },
    async cancel(responseId) {
      provider.cancelled.push(responseId);
      return nextOf(cancels);
    },
  };
  return provider;
}

function nextOf(replies: Retrieval[]): Retrieval {
  const reply = replies.length > 1 ? replies.shift() : replies[0];
  return reply ?? { type: "retrieval.missing" };
}

async function* play(
  script: Script,
  signal: AbortSignal,
  call: PaidCall | null,
): AsyncIterable<StreamReport> {
  if (typeof script === "function") yield* script(signal, call);
  else yield* script;
}

export function answer(text: string, over: Partial<Outcome> = {}): Outcome {
  return {
    responseId: "resp_1",
    model: "model-actual",
    text,
    refusal: null,
    reason: null,
    usage: { input_tokens: 3, output_tokens: 5 },
    citations: [],
    kinds: ["message"],
    fullChars: text.length,
    truncated: false,
    serviceTier: null,
    echo: { store: true, background: true, previousResponseId: null },
    ...over,
  };
}

export const accepted = (responseId = "resp_1", previousResponseId: string | null = null): StreamReport => ({
  type: "upstream.accepted",
  responseId,
  model: "model-actual",
  sequence: 0,
  echo: { store: true, background: true, previousResponseId },
});

export const lost = (cause: "reset" | "idle" | "ended" | "stream_error", after: number | null = null) =>
  ({
    type: "upstream.lost",
    cause,
    partial: null,
    carry: after === null ? null : { after, chars: after },
  }) as const;

export const completed = (text: string, responseId = "resp_1", previousResponseId: string | null = null) =>
  ({
    type: "upstream.completed",
    outcome: answer(text, { responseId, echo: { store: true, background: true, previousResponseId } }),
  }) as const;

export const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((done) =>
    signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true }),
  );

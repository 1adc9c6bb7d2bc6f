/** Every provider that speaks HTTP, each with the smallest server that answers in its own way. */
import { createAnthropicProvider } from "../../../src/providers/anthropic/anthropic.ts";
import { createOllamaProvider } from "../../../src/providers/ollama/ollama.ts";
import { createOpenAIProvider } from "../../../src/providers/openai/openai.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import * as anthropic from "../anthropic/events.ts";
import * as ollama from "../ollama/documents.ts";
import { eventStream } from "../support/byte-server.ts";
import { answer, created, delta, sse } from "../support/events.ts";
import { testKey } from "../support/provider.ts";

export interface Limits {
  firstByteMs: number;
  idleMs: number;
}

export interface Party {
  name: string;
  make(root: string, limits: Limits): Provider;
  /** Headers of a stream. */
  headers: Record<string, string>;
  /** A whole answer; and its beginning, accepted and with text, but without an end. */
  whole(text: string): string;
  beginning(text: string): string;
}

const limits = { textBytes: 1_000_000, eventBytes: 8_000_000 };

export const parties: readonly Party[] = [
  {
    name: "openai",
    make: (root, clocks) =>
      createOpenAIProvider({ apiKey: testKey, baseUrl: `${root}/v1`, limits, ...clocks }),
    headers: eventStream,
    whole: (text) => sse(answer(text)),
    beginning: (text) => sse([created(), delta(text)]),
  },
  {
    name: "ollama",
    make: (root, clocks) => createOllamaProvider({ baseUrl: root, numCtx: 4_096, limits, ...clocks }),
    headers: ollama.ndjson,
    whole: (text) => ollama.answerOf(text),
    beginning: (text) => ollama.beginningOf(text),
  },
  {
    name: "anthropic",
    make: (root, clocks) => createAnthropicProvider({ apiKey: testKey, baseUrl: root, limits, ...clocks }),
    headers: eventStream,
    whole: (text) => anthropic.answerOf(text),
    beginning: (text) => anthropic.started() + anthropic.words(text),
  },
];

/** Where Ollama is and how it is asked. */
import { decimal, duration, endpoint, textUpTo, wholeNumber } from "./parsers.ts";
import type { Reader } from "./reader.ts";

export interface OllamaConfig {
  baseUrl: string;
  /** Tokens of context each call asks for. */
  numCtx: number;
  model: string | null;
  temperature: number | null;
  /** Deadline of a request, and how long the first byte may take, since a model may have to be loaded; ms. */
  timeoutMs: number;
}

export const ollamaBaseUrl = "http://127.0.0.1:11434";
export const numCtxRange = { min: 512, max: 1_048_576, fallback: 8_192 } as const;
/** Loading a large model takes minutes. */
export const ollamaTimeoutMs = 300_000;
export const ollamaTimeoutRange = { min: 1_000, max: 3_600_000 } as const;

export function readOllama(reader: Reader): OllamaConfig {
  return {
    baseUrl: reader.read("OLLAMA_BASE_URL", endpoint) ?? ollamaBaseUrl,
    numCtx: reader.read("OLLAMA_NUM_CTX", wholeNumber(numCtxRange)) ?? numCtxRange.fallback,
    model: reader.read("OLLAMA_MODEL", textUpTo(256)),
    temperature: reader.read("OLLAMA_TEMPERATURE", decimal({ min: 0, max: 2 })),
    timeoutMs: reader.read("OLLAMA_TIMEOUT", duration(ollamaTimeoutRange)) ?? ollamaTimeoutMs,
  };
}

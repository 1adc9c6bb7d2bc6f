/** The HTTP transport of every provider. Importing it takes longer than starting the server, so the first call does. */
import type { Agent, fetch } from "undici";

export interface Transport {
  fetch: typeof fetch;
  agent: Agent;
}

const connectMs = 10_000;

/** Gives a function that loads once, when first called; what failed is tried again by the next call. */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

export async function loadTransport(): Promise<Transport> {
  const undici = await import("undici");
  return { fetch: undici.fetch, agent: createAgent(undici.Agent) };
}

/**
 * A connection for every call. A kept one that upstream closes in the instant it is used again loses the call
 * after it may have left, and that is an unknown outcome; next to an answer that takes seconds a handshake is
 * nothing. The library's own time-outs are off: they are 300 s, and the watch decides (openai-node#2153).
 */
function createAgent(undiciAgent: typeof Agent): Agent {
  return new undiciAgent({
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectMs },
  });
}

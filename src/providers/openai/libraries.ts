/** The SDK and its transport. Importing them takes longer than starting the server, so the first call does it. */
import type { OpenAI } from "openai";
import type { Agent, fetch } from "undici";

export interface Libraries {
  OpenAI: typeof OpenAI;
  fetch: typeof fetch;
  agent: Agent;
}

const connectMs = 10_000;

/** Gives a function that loads once, when first called; what failed is tried again by the next call. */
export function createLibraries(): () => Promise<Libraries> {
  let loading: Promise<Libraries> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function load(): Promise<Libraries> {
  const [sdk, undici] = await Promise.all([import("openai"), import("undici")]);
  return { OpenAI: sdk.OpenAI, fetch: undici.fetch, agent: createAgent(undici.Agent) };
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

/** The SDK and its transport. */
import type { OpenAI } from "openai";
import { loadOnce, loadTransport, type Transport } from "../upstream/transport.ts";

export interface Libraries extends Transport {
  OpenAI: typeof OpenAI;
}

export function createLibraries(): () => Promise<Libraries> {
  return loadOnce(async () => {
    const [sdk, transport] = await Promise.all([import("openai"), loadTransport()]);
    return { OpenAI: sdk.OpenAI, ...transport };
  });
}

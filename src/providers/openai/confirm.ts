/** After an error in a stream only upstream itself can say whether the response failed. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Provider, SettledReport } from "../provider.ts";
import type { Draft } from "./draft.ts";

/** It may take upstream a moment to write down what became of a response. */
const pausesMs = [0, 250, 1_000];
const confirmMs = 5_000;

/** How the drafted response ended, by GET; null where that cannot be learned in a few seconds, or at all. */
export async function confirmed(
  { responseId, echo }: Draft,
  retrieve: Provider["retrieve"],
  caller: AbortSignal,
): Promise<SettledReport | null> {
  const kept = echo.store === true || echo.background === true;
  if (responseId === null || !kept) return null;
  const signal = AbortSignal.any([caller, AbortSignal.timeout(confirmMs)]);
  for (const pause of pausesMs) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return null;
    const found = await retrieve(responseId, signal);
    if ("outcome" in found) return found;
  }
  return null;
}

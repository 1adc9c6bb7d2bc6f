import { Rejection, responseNotFound } from "../model/api-error.ts";
import type { HeldResponse } from "../model/held-response.ts";
import type { Steps } from "../script/later-calls.ts";
import type { State } from "../state.ts";

/** The response with this id as its calls find it. */
export function requireResponse({ book }: State, id: string): HeldResponse {
  const response = book.find(id);
  if (!response) throw new Rejection(responseNotFound(id));
  return response;
}

/** The same for a GET, which read lag may keep from finding it. */
export function requireReadable(state: State, id: string): HeldResponse {
  const response = requireResponse(state, id);
  if (response.hidesFromGet(state.now())) throw new Rejection(responseNotFound(id));
  return response;
}

/**
 * Takes the next scripted step for a call about this response: from the rules scripted for existing responses, the
 * latest first, then from the scenario that made it. Unknown ids have steps too, of the rules that are for any id.
 */
export function nextStep<Step>(state: State, id: string, pick: (steps: Steps) => Step[]): Step | undefined {
  const own = state.book.find(id)?.steps;
  const queues = [...state.laterRules.for(id), ...(own ? [own] : [])].map(pick);
  return queues.find((queue) => queue.length > 0)?.shift();
}

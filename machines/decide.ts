/** The decider: one snapshot and one fact in, the next snapshot and what to do about it out. */
import { initialTransition, transition } from "xstate";
import { type Effect, effectSchema } from "./effects.ts";
import type { RequestEvent } from "./events.ts";
import { type RequestInput, requestMachine } from "./request.ts";
import type { RequestSnapshot } from "./snapshots.ts";

export interface Decision {
  next: RequestSnapshot;
  effects: Effect[];
  /** False when the event means nothing in this state: write nothing, do nothing. */
  changed: boolean;
}

/** The first snapshot of a claim. Its one effect is the paid call. */
export function begin(input: RequestInput): Decision {
  const [next, actions] = initialTransition(requestMachine, input);
  return { next, effects: actions.map(toEffect), changed: true };
}

export function decide(snapshot: RequestSnapshot, event: RequestEvent): Decision {
  // A pure transition() would still move a finished snapshot if the root ever had handlers; an actor would not.
  if (snapshot.status !== "active") return { next: snapshot, effects: [], changed: false };
  const [next, actions] = transition(requestMachine, snapshot, event);
  return { next, effects: actions.map(toEffect), changed: next !== snapshot };
}

function toEffect(action: { type: string; params?: unknown }): Effect {
  return effectSchema.parse({ ...paramsOf(action), type: action.type });
}

function paramsOf(action: { params?: unknown }): object {
  return typeof action.params === "object" && action.params !== null ? action.params : {};
}

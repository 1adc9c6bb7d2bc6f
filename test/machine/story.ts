/** A request told as the events that happened to it. */
import { begin, decide } from "../../machines/decide.ts";
import type { Effect } from "../../machines/effects.ts";
import type { RequestEvent } from "../../machines/events.ts";
import type { RequestInput } from "../../machines/request.ts";
import { type RequestSnapshot, stateOf } from "../../machines/snapshots.ts";
import { firstTurn } from "./samples.ts";

export interface Story {
  snapshot: RequestSnapshot;
  /** The state's path: `claimed.deferred`, `streaming`. */
  state: string;
  context: RequestSnapshot["context"];
  /** What the last event asked for. */
  effects: Effect[];
  /** What was asked for from the claim on. */
  asked: Effect["type"][];
}

/** Claims a request with `input` over the usual one, then lets `happened` happen. */
export function tell(happened: readonly RequestEvent[], input: Partial<RequestInput> = {}): Story {
  const first = begin({ ...firstTurn, ...input });
  let { next, effects } = first;
  const asked = effects.map(({ type }) => type);
  for (const event of happened) {
    ({ next, effects } = decide(next, event));
    asked.push(...effects.map(({ type }) => type));
  }
  return { snapshot: next, state: pathOf(next), context: next.context, effects, asked };
}

function pathOf(snapshot: RequestSnapshot): string {
  const { value } = snapshot;
  return typeof value === "string" ? stateOf(snapshot) : `claimed.${value.claimed}`;
}

import type { State } from "../state.ts";
import type { Call } from "./call.ts";

/** The calls a client makes, as `held` names them where they wait for an answer. */
export type CallKind = "create" | "retrieve" | "resume" | "cancel";

/**
 * Where everything is done by hand, a call waits before anything is looked up for it, so that its rules can be
 * scripted after it came.
 */
export async function answeredByHand(kind: CallKind, call: Call, { byHand, gate }: State): Promise<void> {
  if (byHand) await gate.wait(kind, call.gone);
}

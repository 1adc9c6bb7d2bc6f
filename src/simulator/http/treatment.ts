import type { Reply } from "../script/reply.ts";
import type { Scenario } from "../script/scenario.ts";

/** What a POST gets, and whether a generation is behind it. */
export type Treatment =
  | { readonly kind: "normal" | "json" }
  /** Nothing was begun. */
  | { readonly kind: "rejected"; readonly reply: Reply }
  /** Something was begun, and the caller hears this instead. */
  | { readonly kind: "stand_in"; readonly reply: Reply };

export function treatmentOf({ reply, counted }: Scenario): Treatment {
  if (reply === undefined) return { kind: "normal" };
  if (reply === "json") return { kind: "json" };
  // Another rule came first and did not match: the body has been read by now, but nothing was begun.
  if (reply === "reset_unread") return { kind: "rejected", reply: "reset" };
  return { kind: (counted ?? leavesDoubt(reply)) ? "stand_in" : "rejected", reply };
}

/** Every 4xx says that nothing was begun, but for those two that a slow or a second try may bring about. */
function leavesDoubt(reply: Reply): boolean {
  if (typeof reply === "string") return true;
  const status = typeof reply === "number" ? reply : reply.status;
  return status >= 500 || status === 408 || status === 409;
}

import type { State } from "../state.ts";
import { type Call, replyJson, requireKey } from "./call.ts";
import { requireResponse } from "./later.ts";

/** `DELETE /v1/responses/{id}` */
export async function deleteResponse(call: Call, state: State, id: string): Promise<void> {
  requireKey(call);
  requireResponse(state, id).remove();
  replyJson(call, 200, { id, object: "response", deleted: true });
}

import type { ElicitRequestFormParams, ServerContext } from "@modelcontextprotocol/server";
import type { Ending } from "./not-done.ts";
import { replyIn } from "./question.ts";
import { showNow } from "./show-now.ts";

/** Asks for a yes, as long as the call may wait. */
export async function askNow(
  request: ServerContext["mcpReq"],
  form: ElicitRequestFormParams,
  budgetMs: number,
): Promise<Ending> {
  const shown = await showNow(request, form, budgetMs);
  return typeof shown === "string" ? shown : (replyIn(shown.result) ?? "host_failed");
}

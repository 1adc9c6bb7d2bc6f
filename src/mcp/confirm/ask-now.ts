import {
  type ElicitRequestFormParams,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Ending } from "./not-done.ts";
import { replyIn } from "./question.ts";

/** Puts a form before the person and waits `budgetMs` for them, no longer; the host is told when that is over. */
export async function askNow(
  { send, signal }: ServerContext["mcpReq"],
  form: ElicitRequestFormParams,
  budgetMs: number,
): Promise<Ending> {
  if (budgetMs <= 0) return "unanswered";
  try {
    const result = await send(
      { method: "elicitation/create", params: { ...form } },
      { timeout: budgetMs, signal },
    );
    return replyIn(result) ?? "host_failed";
  } catch (error) {
    return SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout
      ? "unanswered"
      : "host_failed";
  }
}

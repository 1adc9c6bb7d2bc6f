import {
  type ElicitRequestFormParams,
  SdkError,
  SdkErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";

/** What came back from the person, or that nobody answered in time, or that the host could not ask. */
export type Shown = { result: unknown } | "unanswered" | "host_failed";

/** Puts a form before the person and waits `budgetMs` for them, no longer; the host is told when that is over. */
export async function showNow(
  { send, signal }: ServerContext["mcpReq"],
  form: ElicitRequestFormParams,
  budgetMs: number,
): Promise<Shown> {
  if (budgetMs <= 0) return "unanswered";
  try {
    return {
      result: await send(
        { method: "elicitation/create", params: { ...form } },
        { timeout: budgetMs, signal },
      ),
    };
  } catch (error) {
    return SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout
      ? "unanswered"
      : "host_failed";
  }
}

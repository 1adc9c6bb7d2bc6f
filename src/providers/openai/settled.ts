/** An ending as the event the engine commits. */
import type { Failure } from "../../../machines/evidence.ts";
import type { SettledReport } from "../provider.ts";
import { identifier } from "../upstream/identifier.ts";
import type { Draft } from "./draft.ts";
import { outcomeOf } from "./outcome.ts";
import type { Ending } from "./status.ts";

/** What an outcome is cut to and where it came from. */
export interface SettleOptions {
  /** Most bytes of text and refusal together. */
  textBytes: number;
  /** Upstream's `x-request-id`. */
  requestId: string | undefined;
}

/** The draft's ending, or null while there is none, or no response id to file it under. */
export function settledOf(draft: Draft, { textBytes, requestId }: SettleOptions): SettledReport | null {
  const { ending } = draft;
  const outcome = ending && outcomeOf(draft, textBytes, reasonOf(ending));
  if (ending === null || outcome === null) return null;
  switch (ending.status) {
    case "completed":
      return { type: outcome.refusal === null ? "upstream.completed" : "upstream.refused", outcome };
    case "incomplete":
      return { type: "upstream.incomplete", outcome };
    case "cancelled":
      return { type: "upstream.cancelled", outcome };
    case "failed":
      return { type: "upstream.failed", outcome, failure: failureOf(draft, ending, requestId) };
  }
}

function reasonOf({ status, response }: Ending): string | null {
  if (status === "cancelled") return "cancelled";
  if (status !== "incomplete") return null;
  return identifier(response.incomplete_details?.reason, 64) ?? null;
}

function failureOf(draft: Draft, { response }: Ending, requestId: string | undefined): Failure {
  const upstreamCode =
    identifier(response.error?.code ?? response.error?.type, 128) ?? (draft.errorCode || undefined);
  const upstreamParam = identifier(response.error?.param, 256);
  return {
    code: "upstream_failed",
    ...(upstreamCode !== undefined && { upstreamCode }),
    ...(upstreamParam !== undefined && { upstreamParam }),
    ...(requestId !== undefined && { upstreamRequestId: requestId }),
  };
}

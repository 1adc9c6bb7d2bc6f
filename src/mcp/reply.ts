/**
 * What a tool says, as hosts need it. Some show the model only `structuredContent`, others only the text
 * (anthropics/claude-code#79944), so each holds the whole outcome. Long results are cut in the middle or at the
 * end, so what a caller must know stands first.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { RequestView } from "../contract/views.ts";

export interface Answer {
  body: { status: string } & Readonly<Record<string, unknown>>;
  isError: boolean;
  /** The request whose answer was asked for and is still being made. */
  underWay?: RequestView;
}

/** The part of a body that every tool promises; open, since each adds its own. */
export const outputShape = z.looseObject({
  status: z.string().describe("The request's state, ok, not_done, or error."),
  request_id: z.string().optional().describe("The ticket."),
  session_id: z.string().optional().describe("The conversation."),
  text: z.string().optional().describe("The answer, or a page of it."),
  next: z.string().optional().describe("What to call now."),
});

/** The reply of a call that asks or collects: an error unless it brings the answer or a receipt. */
export function delivered(view: RequestView): Answer {
  const isUnderWay = isReceipt(view);
  return {
    ...reported(view),
    isError: !isWholeAnswer(view) && !isUnderWay,
    ...(isUnderWay && { underWay: view }),
  };
}

/** The reply of a call that did something to a request or looked at it, and did not fail at that. */
export function reported(view: RequestView): Answer {
  const { status, request_id, session_id, next, ...rest } = view;
  return { body: { status, request_id, session_id, next, ...rest }, isError: false };
}

/** The reply of a call that succeeded and is not about one request. Before any list stands what to do now. */
export function done(body: object): Answer {
  const first = "next" in body ? { next: body.next } : {};
  return { body: { status: "ok", ...first, ...body }, isError: false };
}

export function toResult({ body, isError }: Answer): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(body) }], structuredContent: body, isError };
}

/** An answer given without the conversation it belongs to is delivered, but nobody may take it for a good one. */
function isWholeAnswer({ status, warnings }: RequestView): boolean {
  return status === "completed" && !warnings.includes("context_ignored");
}

/** Somebody is at it: its owner, or whoever is collecting what its owner lost. */
function isReceipt({ status, recovering }: RequestView): boolean {
  return (
    status === "claimed" || status === "streaming" || (status === "recovery_required" && recovering === true)
  );
}

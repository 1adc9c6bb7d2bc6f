/** Errors as callers see them: a stable code, a message and the next step, complete in one object. */

import { ClaimcheckError } from "../contract/errors.ts";
import { requestId, sessionRef } from "../contract/fields.ts";
import type { Log } from "./log.ts";
import { nextStep } from "./next-step.ts";
import type { Answer } from "./reply.ts";

/** The reply of a call that failed; ids are the caller's own, else those the error names. */
export function failed(tool: string, given: unknown, error: ClaimcheckError): Answer {
  const ids = { ...idsIn(error.details), ...idsIn(given) };
  const { code, message, details } = error;
  const next = nextStep(code, {
    tool,
    action: actionIn(given),
    requestId: inTheWay(details) ?? ids.request_id,
    sessionId: idsIn(details).session_id ?? ids.session_id,
  });
  const body = { status: "error", code, message, next, ...ids };
  return { body: Object.keys(details).length === 0 ? body : { ...body, details }, isError: true };
}

/**
 * What a caller is told of an exception nobody expected: nothing of it but an incident number, which the log line
 * beside it carries too. Its text can hold anything, and so stays here.
 */
export function unexpected(tool: string, error: unknown, log: Log, incident: string): ClaimcheckError {
  log("error", "tool.unexpected", { tool, incident, ...classOf(error) });
  log("debug", "tool.unexpected.stack", { incident, stack: framesOf(error) });
  return new ClaimcheckError(
    "internal",
    `claimcheck failed in a way it should not have. A request already made is safe and can be collected. The server's log has incident ${incident}.`,
    { details: { incident }, cause: error },
  );
}

/** Class and stable code of an error: all that may be logged of it. */
export function classOf(error: unknown): { error: string; code: string } {
  if (!(error instanceof Error)) return { error: typeof error, code: "none" };
  return { error: error.name, code: "code" in error && typeof error.code === "string" ? error.code : "none" };
}

/** The places of a stack without its first lines, which repeat the message. */
function framesOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? "").split("\n") : [];
  return lines.filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line)).join("\n");
}

/** The request an error is about, or the first of several that hold a place. */
function inTheWay({ request_id, requests }: ClaimcheckError["details"]): string | undefined {
  const first: unknown = request_id ?? (Array.isArray(requests) ? requests[0] : undefined);
  return typeof first === "string" ? first : undefined;
}

function actionIn(given: unknown): string | undefined {
  const action: unknown =
    typeof given === "object" && given !== null ? Reflect.get(given, "action") : undefined;
  return typeof action === "string" ? action : undefined;
}

interface Ids {
  request_id?: string;
  session_id?: string;
}

/** The ids in `holder` that look like ids; anything else is not ours to repeat. */
function idsIn(holder: unknown): Ids {
  if (typeof holder !== "object" || holder === null) return {};
  const request = requestId.safeParse(Reflect.get(holder, "request_id"));
  const session = sessionRef.safeParse(Reflect.get(holder, "session_id"));
  return {
    ...(request.success && { request_id: request.data }),
    ...(session.success && { session_id: session.data }),
  };
}

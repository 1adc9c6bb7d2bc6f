/** Errors of methods that have no result to put them in: JSON-RPC errors, complete in their message. */
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import { ClaimcheckError, type ErrorCode } from "../contract/errors.ts";
import { unexpected } from "./failure.ts";
import { nextStep } from "./next-step.ts";
import type { CallParts } from "./tool-call.ts";

/** What was asked for: the name that a next step calls it by, and the resource, where it is about one. */
export interface Subject {
  name: string;
  uri?: string | undefined;
}

/** Does it, and turns whatever goes wrong into an error that says what to do next. */
export async function orRefusal<T>(parts: CallParts, subject: Subject, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    throw refusal(
      subject,
      error instanceof ClaimcheckError ? error : unexpected(subject.name, error, parts.log, parts.newId()),
    );
  }
}

function refusal({ name, uri }: Subject, { code, message, details }: ClaimcheckError): ProtocolError {
  const next = nextStep(code, { tool: name });
  if (uri !== undefined && (code === "unknown_request" || code === "unknown_session")) {
    return noResource(uri, message);
  }
  const rpcCode = named.has(code) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(rpcCode, `${message} ${next}`, { code, next, ...details });
}

/** What was asked for is not there, or not well named. */
const named: ReadonlySet<ErrorCode> = new Set(["invalid_arguments", "unknown_request", "unknown_session"]);

/**
 * "Resource not found: -32602" (specification 2026-07-28, server/resources); clients know it by data that holds
 * the URI and nothing else, so the code stands in the message alone.
 */
export function noResource(uri: string, message: string): ProtocolError {
  return new ResourceNotFoundError(uri.slice(0, mostEchoed), message);
}

/** Whatever is sent as a URI would otherwise come back whole. */
const mostEchoed = 256;

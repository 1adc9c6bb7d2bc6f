import { type ApiError, invalidRequest, serverError } from "../model/api-error.ts";
import type { ErrorReply, Reply } from "../script/reply.ts";
import { breakOff, type Call, reply, replyError } from "./call.ts";

type Wording = Pick<ApiError, "message" | "type" | "code">;

/** What api.openai.com says with each status, where the script does not choose the words. */
const WORDING: Readonly<Record<number, Wording>> = {
  400: { message: "Invalid request.", type: "invalid_request_error", code: null },
  401: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
  403: { message: "Access denied.", type: "permission_error", code: "permission_denied" },
  404: { message: "The requested resource was not found.", type: "invalid_request_error", code: null },
  408: { message: "The request timed out.", type: "timeout", code: "request_timeout" },
  409: {
    message: "The request conflicts with another one.",
    type: "invalid_request_error",
    code: "conflict",
  },
  413: { message: "The request is too large.", type: "invalid_request_error", code: null },
  422: { message: "The request could not be processed.", type: "invalid_request_error", code: null },
  429: { message: "Rate limit reached.", type: "requests", code: "rate_limit_exceeded" },
  503: { message: "The server is overloaded or not ready yet.", type: "server_error", code: null },
};

/** Answers as scripted, whatever the right answer would have been. */
export async function sendScripted(call: Call, scripted: Reply): Promise<void> {
  switch (scripted) {
    case "reset":
      return breakOff(call, "reset");
    case "hangup":
      return breakOff(call, "fin");
    case "html":
      return reply(call, 200, "text/html", page("Sign in to the network"));
    case "empty":
      return reply(call, 200, "text/event-stream; charset=utf-8", "");
    case "malformed_json":
      return reply(call, 200, "application/json", '{"id":"resp_');
    default:
      return sendError(call, typeof scripted === "number" ? { status: scripted } : scripted);
  }
}

function sendError(call: Call, scripted: ErrorReply): void {
  const headers = retryHeaders(scripted);
  if (scripted.html)
    reply(call, scripted.status, "text/html", page(`${scripted.status} from the gateway`), headers);
  else replyError(call, errorOf(scripted), headers);
}

function errorOf(scripted: ErrorReply): ApiError {
  const wording =
    WORDING[scripted.status] ?? (scripted.status < 500 ? invalidRequest("Bad request.") : serverError());
  return {
    status: scripted.status,
    message: scripted.message ?? wording.message,
    type: scripted.type ?? wording.type,
    code: scripted.code === undefined ? wording.code : scripted.code,
    param: scripted.param ?? null,
  };
}

function retryHeaders({ retryAfterS, retryAfterMs }: ErrorReply): Record<string, string> {
  return {
    ...(retryAfterS !== undefined && { "retry-after": String(retryAfterS) }),
    ...(retryAfterMs !== undefined && { "retry-after-ms": String(retryAfterMs) }),
  };
}

function page(title: string): string {
  return `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
}

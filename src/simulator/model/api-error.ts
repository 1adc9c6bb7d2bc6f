/** What the API says when it refuses: an HTTP status and its envelope's four fields. */
export interface ApiError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** Thrown by a handler to refuse the call at hand; the router turns it into the envelope. */
export class Rejection extends Error {
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.name = "Rejection";
    this.error = error;
  }
}

export function invalidRequest(
  message: string,
  param: string | null = null,
  code: string | null = null,
): ApiError {
  return { status: 400, message, type: "invalid_request_error", param, code };
}

export function responseNotFound(id: string): ApiError {
  return { ...invalidRequest(`Response with id '${id}' not found.`), status: 404 };
}

export function predecessorNotFound(id: string): ApiError {
  return invalidRequest(
    `Previous response with id '${id}' not found.`,
    "previous_response_id",
    "previous_response_not_found",
  );
}

export function tooOldToStream(): ApiError {
  return invalidRequest("This response can no longer be streamed because it is more than 5 minutes old.");
}

export function notStreamable(): ApiError {
  return invalidRequest("This response cannot be streamed because it was not created with stream=true.");
}

export function foregroundCancel(): ApiError {
  return invalidRequest("Cannot cancel a synchronous response.");
}

export function missingKey(): ApiError {
  const message =
    "You didn't provide an API key. Use an Authorization header: Authorization: Bearer YOUR_KEY.";
  return { ...invalidRequest(message), status: 401 };
}

export function unknownRoute(method: string, path: string): ApiError {
  return { ...invalidRequest(`Invalid URL (${method} ${path})`), status: 404 };
}

export function bodyTooLarge(limit: number): ApiError {
  return { ...invalidRequest(`Request body exceeds the limit of ${limit} bytes.`), status: 413 };
}

export function serverError(): ApiError {
  return {
    status: 500,
    message: "The server had an error while processing your request. Sorry about that!",
    type: "server_error",
    param: null,
    code: null,
  };
}

/** What a caller can do wrong or run into, by stable code. The message always says what to do next. */

export const errorCodes = [
  "invalid_arguments",
  "request_conflict",
  "unknown_request",
  "unknown_session",
  "session_busy",
  "session_unresolved",
  "session_provider",
  "context_missing",
  "session_name_taken",
  "model_required",
  "input_too_large",
  "file_refused",
  "limit_out_of_range",
  "too_many_live",
  "too_many_sessions",
  "too_many_requests",
  "content_full",
  "not_allowed_in_state",
  "response_taken",
  "response_not_found",
  "endpoint_differs",
  "result_pruned",
  "upstream_unreachable",
  "provider_unknown",
  "provider_unsupported",
  "key_missing",
  "config_invalid",
  "storage_unavailable",
  "storage_corrupt",
  "storage_newer",
  "storage_full",
  "snapshot_newer",
  "snapshot_unreadable",
  "shutting_down",
  "internal",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/**
 * The one exception callers see. `details` holds ids, field names, limits; never content, never upstream's words.
 * `next` is the exact next step, also part of the message.
 */
export class ClaimcheckError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ClaimcheckError";
    this.code = code;
    this.details = options.details ?? {};
  }
}

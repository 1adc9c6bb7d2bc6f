/** Things that are not errors but that a careful caller wants to know, and the evidence of a failure. */
export const warnings = [
  "store_ignored",
  "context_ignored",
  "model_differs",
  "truncated",
  "prompt_truncated",
  "cancel_requested",
  "late",
] as const;
export type Warning = (typeof warnings)[number];

/** Evidence only: upstream's free text is neither stored nor shown, since it can echo the prompt. */
export interface FailureView {
  code: string;
  message: string;
  http_status?: number;
  upstream_code?: string;
  upstream_param?: string;
  upstream_request_id?: string;
  retry_after_s?: number;
  cause?: string;
}

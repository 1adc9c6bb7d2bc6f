/** Views as an engine gives them, with only what a test cares about named. */
import type { RequestView, SessionView, SumView } from "../../../src/contract/views.ts";

export const requestId = "11111111-1111-4111-8111-111111111111";
export const otherId = "22222222-2222-4222-8222-222222222222";
export const sessionId = "33333333-3333-4333-8333-333333333333";

const at = "2026-01-01T00:00:00.000Z";

export function aSum(): SumView {
  return {
    key: "all",
    requests: 0,
    input_tokens: 0,
    cached_input_tokens: 0,
    cache_write_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    not_paid_twice: { replays: 0, recoveries: 0 },
  };
}

export function aRequest(said: Partial<RequestView> = {}): RequestView {
  return {
    status: "completed",
    request_id: requestId,
    session_id: sessionId,
    tool: "chat",
    provider: "openai",
    turn: 1,
    requested_model: "gpt-test",
    settings: { model: "gpt-test", max_output_tokens: 8_192, timeout_ms: 120_000, background: true },
    timings: { created_at: at, updated_at: at, elapsed_ms: 5 },
    warnings: [],
    next: `chat {"session_id":"${sessionId}","message":"…"}`,
    ...said,
  };
}

export function aSession(said: Partial<SessionView> = {}): SessionView {
  return {
    session_id: sessionId,
    provider: "openai",
    defaults: { model: "gpt-test" },
    has_instructions: false,
    counts: { requests: 1, completed: 1, unresolved: 0, live: 0 },
    created_at: at,
    updated_at: at,
    ...said,
  };
}

import type { OutputItem, ResponseObject, ResponseStatus, Usage } from "./api-types.ts";
import { isFinal } from "./api-types.ts";
import type { CreateRequest } from "./create-request.ts";

/** What never changes about a response. */
export interface ResponseFacts {
  readonly id: string;
  /** Milliseconds since the epoch; the API shows whole seconds. */
  readonly createdAt: number;
  readonly request: CreateRequest;
}

/** What changes while it is generated. */
export interface ResponseProgress {
  readonly status: ResponseStatus;
  readonly output?: OutputItem[];
  readonly usage?: Usage;
  readonly error?: { code: string; message: string };
  readonly incompleteReason?: string;
  readonly completedAt?: number;
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** The Response object at one moment of its life, with the fields and defaults of api.openai.com. */
export function responseObject(facts: ResponseFacts, progress: ResponseProgress): ResponseObject {
  const { request } = facts;
  return {
    id: facts.id,
    object: "response",
    created_at: seconds(facts.createdAt),
    status: progress.status,
    background: request.background,
    completed_at: progress.completedAt === undefined ? null : seconds(progress.completedAt),
    error: progress.error ?? null,
    frequency_penalty: 0,
    incomplete_details: progress.incompleteReason ? { reason: progress.incompleteReason } : null,
    instructions: request.instructions,
    max_output_tokens: request.max_output_tokens,
    max_tool_calls: request.max_tool_calls,
    model: request.model,
    output: progress.output ?? [],
    parallel_tool_calls: request.parallel_tool_calls,
    presence_penalty: 0,
    previous_response_id: request.previous_response_id,
    prompt_cache_key: request.prompt_cache_key,
    prompt_cache_retention: null,
    reasoning: { effort: null, summary: null, ...request.reasoning },
    safety_identifier: request.safety_identifier,
    service_tier: servedTier(request.service_tier, progress.status),
    store: request.store,
    temperature: request.temperature,
    text: { format: { type: "text" }, verbosity: "medium", ...request.text },
    tool_choice: request.tool_choice ?? "auto",
    tools: request.tools,
    top_logprobs: request.top_logprobs,
    top_p: request.top_p,
    truncation: request.truncation,
    usage: progress.usage ?? null,
    user: request.user,
    metadata: request.metadata,
  };
}

/** "auto" is what was asked; once done the API says which tier it became. */
function servedTier(asked: string, status: ResponseStatus): string {
  return asked === "auto" && isFinal(status) ? "default" : asked;
}

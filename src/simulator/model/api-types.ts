import type {
  Response,
  ResponseOutputItem,
  ResponseOutputText,
  ResponseStreamEvent,
  ResponseUsage,
} from "openai/resources/responses/responses";

export type OutputItem = ResponseOutputItem;
export type OutputText = ResponseOutputText;
export type Usage = ResponseUsage;
export type ResponseStatus = "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";

/** Fields that we echo as they came, or whose real values are an open set that the SDK's types close. */
type Reopened =
  | "error"
  | "incomplete_details"
  | "model"
  | "reasoning"
  | "service_tier"
  | "status"
  | "text"
  | "tool_choice"
  | "tools"
  | "top_logprobs"
  | "truncation"
  | "usage"
  | "user";

/**
 * The Response object as it travels. The SDK's type describes what its user sees: it adds `output_text` on arrival
 * and leaves out some fields that the API does send.
 */
export interface ResponseObject extends Omit<Response, Reopened | "output_text"> {
  status: ResponseStatus;
  model: string;
  error: { code: string; message: string } | null;
  incomplete_details: { reason: string } | null;
  frequency_penalty: number;
  max_tool_calls: number | null;
  presence_penalty: number;
  reasoning: unknown;
  service_tier: string;
  store: boolean;
  text: unknown;
  tool_choice: unknown;
  tools: unknown[];
  top_logprobs: number;
  truncation: string;
  usage: Usage | null;
  user: string | null;
}

type Unnumbered<Event> = Event extends { response: Response }
  ? Omit<Event, "response" | "sequence_number"> & { response: ResponseObject }
  : Omit<Event, "sequence_number">;

/** An event of the API, by the SDK's own types; its number is given when it enters the log. */
export type ApiEvent = Unnumbered<ResponseStreamEvent>;

/** Whatever a stream may carry: the API's events, and those which its types do not know. */
export interface LoggedEvent {
  readonly type: string;
  readonly response?: object;
}

const FINAL: ReadonlySet<ResponseStatus> = new Set(["completed", "incomplete", "failed", "cancelled"]);
const TERMINAL: ReadonlySet<string> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
]);
const DELTAS: ReadonlySet<string> = new Set([
  "response.output_text.delta",
  "response.refusal.delta",
  "response.function_call_arguments.delta",
]);

export const isFinal = (status: ResponseStatus): boolean => FINAL.has(status);
export const isTerminal = (event: LoggedEvent): boolean => TERMINAL.has(event.type);
export const isDelta = (event: LoggedEvent): boolean => DELTAS.has(event.type);

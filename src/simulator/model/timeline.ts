import type { Ending, Noise } from "../script/output.ts";
import type { Scenario } from "../script/scenario.ts";
import {
  type ApiEvent,
  isDelta,
  type LoggedEvent,
  type OutputItem,
  type ResponseObject,
} from "./api-types.ts";
import { type Plan, planOutput } from "./plan.ts";
import { type ResponseFacts, responseObject } from "./response-object.ts";
import { speak } from "./speak.ts";
import { tokensIn, usageOf } from "./usage.ts";

/** All that decides what will be said. */
export interface Prompt {
  readonly facts: ResponseFacts;
  readonly scenario: Scenario;
  readonly defaultReply: string;
  readonly inputTokens: number;
  now(): number;
}

/** One step of generation: an event for the stream, the response as it is from now on, or both. */
export interface Step {
  readonly event?: LoggedEvent;
  readonly response?: ResponseObject;
}

/** A response from `response.created` to its end, without time: whoever takes the steps decides when. */
export function* timeline(prompt: Prompt): Generator<Step, void> {
  yield* opening(prompt.facts);
  // Read only now: while it was held there, somebody may have decided otherwise.
  const { output = {}, ending = {}, noise = {} } = prompt.scenario;
  const plan = planOutput(output, ending, prompt.defaultReply);
  const spoken = yield* asSteps(withNoise(say(plan, ending), noise));
  yield* closing(ending, finalResponse(prompt, plan, spoken));
}

function* opening(facts: ResponseFacts): Generator<Step, void> {
  const { background } = facts.request;
  const created = responseObject(facts, { status: background ? "queued" : "in_progress" });
  yield announce({ type: "response.created", response: created });
  if (background) yield announce({ type: "response.queued", response: created });
  yield announce({
    type: "response.in_progress",
    response: responseObject(facts, { status: "in_progress" }),
  });
}

function announce(event: ApiEvent & { response: ResponseObject }): Step {
  return { event, response: event.response };
}

/** A failure cuts the model short in the middle of an item; every other end lets it finish what the plan holds. */
function* say(plan: Plan, { status, afterDeltas = 0 }: Ending): Generator<LoggedEvent, OutputItem[]> {
  if (status !== "failed") return yield* speak(plan.items, status ?? "completed");
  let left = afterDeltas;
  for (const event of speak(plan.items, "incomplete")) {
    if (left === 0) break;
    yield event;
    if (isDelta(event)) left -= 1;
  }
  return [];
}

function* withNoise<Result>(
  events: Generator<LoggedEvent, Result>,
  noise: Noise,
): Generator<LoggedEvent, Result> {
  let noisy = false;
  for (;;) {
    const next = events.next();
    if (next.done) return next.value;
    yield next.value;
    if (isDelta(next.value) && !noisy) {
      noisy = true;
      yield* noiseEvents(noise);
    }
  }
}

function* noiseEvents({ keepalive = 0, unknown = 0, oversizedMiB = 0 }: Noise): Generator<LoggedEvent, void> {
  for (let n = 0; n < keepalive; n += 1) yield { type: "keepalive" };
  for (let n = 0; n < unknown; n += 1) yield unknownEvent("not in any catalogue");
  if (oversizedMiB > 0) yield unknownEvent("x".repeat(Math.ceil(oversizedMiB * 1024 * 1024)));
}

const UNKNOWN = "response.rumination.delta";

function unknownEvent(payload: string): LoggedEvent & { payload: string } {
  return { type: UNKNOWN, payload };
}

export function isNoise(event: LoggedEvent): boolean {
  return event.type === "keepalive" || event.type === UNKNOWN;
}

function* asSteps<Result>(events: Generator<LoggedEvent, Result>): Generator<Step, Result> {
  for (;;) {
    const next = events.next();
    if (next.done) return next.value;
    yield { event: next.value };
  }
}

function* closing(ending: Ending, response: ResponseObject): Generator<Step, void> {
  if (ending.errorEvent) yield { event: errorEvent(ending) };
  if (ending.terminalEvent === false) yield { response };
  else yield { event: terminalEvent(ending, response), response };
}

function terminalEvent({ namedCompleted, bare }: Ending, response: ResponseObject): LoggedEvent {
  const type = namedCompleted ? "response.completed" : `response.${response.status}`;
  if (!bare) return { type, response };
  const { output, usage, ...rest } = response;
  return { type, response: rest };
}

function errorEvent(ending: Ending): LoggedEvent & { error?: object } {
  const { code, message } = errorOf(ending);
  if (ending.errorEvent === "flat") return { type: "error", ...{ code, message, param: null } };
  return { type: "error", error: { type: code, code, message, param: null } };
}

function errorOf({
  code = "server_error",
  message = "An error occurred while processing your request.",
}: Ending) {
  return { code, message };
}

function finalResponse(prompt: Prompt, plan: Plan, output: OutputItem[]): ResponseObject {
  const { ending = {} } = prompt.scenario;
  const usage = usageOf(prompt.inputTokens, tokensIn(textOf(output)), plan.reasoningTokens);
  switch (ending.status) {
    case "failed":
      return responseObject(prompt.facts, { status: "failed", error: errorOf(ending) });
    case "incomplete": {
      const incompleteReason = ending.reason ?? "max_output_tokens";
      return responseObject(prompt.facts, { status: "incomplete", output, usage, incompleteReason });
    }
    default:
      return responseObject(prompt.facts, { status: "completed", output, usage, completedAt: prompt.now() });
  }
}

/** All that an output says, refusals and function arguments included. */
export function textOf(output: readonly OutputItem[]): string {
  return output.flatMap(textsOfItem).join("");
}

function textsOfItem(item: OutputItem): string[] {
  if (item.type === "function_call") return [item.arguments];
  if (item.type !== "message") return [];
  return item.content.map((part) => (part.type === "refusal" ? part.refusal : part.text));
}

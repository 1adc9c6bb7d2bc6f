/** The Messages API: what is asked, and what its events mean. Shapes from the SDK's types (1.9.0). */
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages/messages";
import * as z from "zod";
import type { EffectiveSettings } from "../../contract/settings.ts";
import type { PaidCall } from "../provider.ts";
import { identifier } from "../upstream/identifier.ts";
import { lenient } from "../upstream/lenient.ts";
import { type TextDraft, type TextEnding, withKind, withText } from "../upstream/text-draft.ts";

const efforts = ["low", "medium", "high", "xhigh", "max"] as const;
type Effort = (typeof efforts)[number];

/** The body of the paid call; options go only when given. */
export function messageBody(call: PaidCall): MessageCreateParamsStreaming {
  const { model, max_output_tokens, reasoning_effort, temperature } = call.settings;
  const effort = efforts.find((known) => known === reasoning_effort);
  return {
    model,
    max_tokens: max_output_tokens,
    ...(call.instructions !== null && { system: call.instructions }),
    messages: [
      ...call.transcript.flatMap(({ message, answer }) => [
        { role: "user" as const, content: message },
        { role: "assistant" as const, content: answer },
      ]),
      { role: "user", content: call.message },
    ],
    ...outputOf(effort, call.format),
    ...(temperature !== undefined && { temperature }),
    stream: true,
  };
}

function outputOf(effort: Effort | undefined, format: PaidCall["format"]) {
  if (effort === undefined && format === null) return {};
  return {
    output_config: {
      ...(effort !== undefined && { effort }),
      ...(format !== null && { format: { type: "json_schema" as const, schema: { ...format.schema } } }),
    },
  };
}

/** What the API has no equivalent of. */
export function cannot({ verbosity, reasoning_effort }: EffectiveSettings): string[] {
  const unknownEffort =
    reasoning_effort !== undefined && !efforts.some((known) => known === reasoning_effort);
  return [...(verbosity === undefined ? [] : ["verbosity"]), ...(unknownEffort ? ["reasoning_effort"] : [])];
}

const text = lenient(z.string());
const usage = lenient(z.record(z.string(), z.unknown()).nullable());
const blockSchema = lenient(z.object({ type: text, text }));

/** One printable word. What is not could be free text, and what is read here is stored. */
const messageId = z.string().regex(/^[\x21-\x7e]{1,512}$/);

const eventSchema = z
  .object({
    type: z.string().catch(""),
    message: lenient(
      z.object({ id: lenient(messageId), model: text, usage, content: lenient(z.array(blockSchema)) }),
    ),
    content_block: blockSchema,
    delta: lenient(z.object({ type: text, text, stop_reason: lenient(z.string().nullable()) })),
    usage,
  })
  .catch({ type: "" });

type Event = z.infer<typeof eventSchema>;

/** One event more. */
export function reduceMessage(draft: TextDraft, raw: unknown, textBytes: number): TextDraft {
  const event = eventSchema.parse(raw);
  switch (event.type) {
    case "message_start":
      return started(draft, event);
    case "content_block_start":
      return block(draft, event, textBytes);
    case "content_block_delta":
      return withText(draft, event.delta?.type === "text_delta" ? (event.delta.text ?? "") : "", textBytes);
    case "message_delta":
      return { ...withUsage(draft, event.usage), ...stopOf(draft, event) };
    case "message_stop":
      return { ...draft, ending: draft.ending ?? endingOf(draft.stop) };
    case "error":
      return { ...draft, errorCode: "" };
    default:
      return draft;
  }
}

function started(draft: TextDraft, { message }: Event): TextDraft {
  const id = message?.id ?? draft.responseId;
  return withUsage({ ...draft, responseId: id, model: message?.model ?? draft.model }, message?.usage);
}

function block(draft: TextDraft, { content_block: begun }: Event, textBytes: number): TextDraft {
  if (begun?.type === "text") return withText(draft, begun.text ?? "", textBytes);
  const kind = identifier(begun?.type, 64);
  return kind === undefined ? draft : withKind(draft, kind);
}

/** The last count of each kind; the start says what was read, the end what was written. */
function withUsage(draft: TextDraft, more: Event["usage"]): TextDraft {
  if (!more) return draft;
  const known = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null));
  const tier = identifier(known["service_tier"], 64);
  return {
    ...draft,
    usage: { ...draft.usage, ...known },
    ...(tier !== undefined && { serviceTier: tier }),
  };
}

function stopOf(draft: TextDraft, { delta }: Event): Pick<TextDraft, "stop"> {
  return { stop: identifier(delta?.stop_reason, 64) ?? draft.stop };
}

function endingOf(stop: string | null): TextEnding {
  switch (stop) {
    case "refusal":
      return { type: "refused" };
    case "max_tokens":
      return { type: "incomplete", reason: "max_output_tokens" };
    case "model_context_window_exceeded":
      return { type: "incomplete", reason: stop };
    default:
      return { type: "completed" };
  }
}

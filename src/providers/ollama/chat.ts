/**
 * The native chat API: what is asked, and what its documents mean. Shapes from Ollama's API documentation
 * (docs/api.md, "Generate a chat completion").
 */
import * as z from "zod";
import type { PaidCall } from "../provider.ts";
import { identifier } from "../upstream/identifier.ts";
import { lenient } from "../upstream/lenient.ts";
import { type TextDraft, type TextEnding, withKind, withText } from "../upstream/text-draft.ts";

/** The body of the paid call. `num_ctx` is said aloud: the server's default is small, and cuts a prompt silently. */
export function chatBody(call: PaidCall, numCtx: number): Record<string, unknown> {
  const { model, max_output_tokens, temperature } = call.settings;
  return {
    model,
    messages: messagesOf(call),
    stream: true,
    ...(call.format !== null && { format: call.format.schema }),
    options: {
      num_ctx: numCtx,
      num_predict: max_output_tokens,
      ...(temperature !== undefined && { temperature }),
    },
  };
}

export function promptChars(call: PaidCall): number {
  return messagesOf(call).reduce((chars, { content }) => chars + content.length, 0);
}

function messagesOf({ instructions, transcript, message }: PaidCall) {
  return [
    ...(instructions === null ? [] : [{ role: "system", content: instructions }]),
    ...transcript.flatMap((turn) => [
      { role: "user", content: turn.message },
      { role: "assistant", content: turn.answer },
    ]),
    { role: "user", content: message },
  ];
}

const text = lenient(z.string());
const count = lenient(z.number().nonnegative());

const counts = {
  prompt_eval_count: count,
  eval_count: count,
  total_duration: count,
  load_duration: count,
  prompt_eval_duration: count,
  eval_duration: count,
};

const countsSchema = z.object(counts);

const documentSchema = z
  .object({
    model: text,
    message: lenient(z.object({ content: text, tool_calls: lenient(z.array(z.unknown())) })),
    done: lenient(z.boolean()),
    done_reason: text,
    error: z.unknown().optional(),
    ...counts,
  })
  .catch({});

type Document = z.infer<typeof documentSchema>;

export interface Reading {
  /** The id we file the answer under: the server gives none. */
  responseId: string;
  numCtx: number;
  /** UTF-16 units of all that was asked. */
  promptChars: number;
  textBytes: number;
}

/** One document more. */
export function reduceChat(draft: TextDraft, raw: unknown, reading: Reading): TextDraft {
  const document = documentSchema.parse(raw);
  if (document.error !== undefined) return { ...draft, errorCode: "" };
  if (document.message === undefined && document.done !== true) return draft;
  const accepted = { ...draft, responseId: reading.responseId, model: draft.model ?? document.model ?? null };
  const said = withText(accepted, document.message?.content ?? "", reading.textBytes);
  const called = (document.message?.tool_calls?.length ?? 0) > 0 ? withKind(said, "tool_call") : said;
  return document.done === true ? ended(called, document, reading) : called;
}

function ended(draft: TextDraft, document: Document, reading: Reading): TextDraft {
  return {
    ...draft,
    usage: usageOf(document),
    promptTruncated: wasCut(document, reading),
    ending: endingOf(document.done_reason),
  };
}

/** The server's own counts and durations (nanoseconds), under its own names. */
function usageOf(document: Document): Record<string, unknown> {
  const told = countsSchema.parse(document);
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

/** How many characters a token has at least, in nearly any text: four are usual (`estimatedTokens`). */
const charsOfToken = 5;

/**
 * A prompt that does not fit is cut by the server without a word: first whole messages go, the oldest first, then the
 * last one's middle, until it fills the context. So one that takes all of the context was most likely cut, and so was
 * one that is longer than the context could hold, whatever count is told. A guess: only the server knows.
 */
function wasCut({ prompt_eval_count: read }: Document, { numCtx, promptChars }: Reading): boolean {
  return (read !== undefined && read >= numCtx - 8) || promptChars > numCtx * charsOfToken;
}

function endingOf(reason: string | undefined): TextEnding {
  if (reason === "length") return { type: "incomplete", reason: "max_output_tokens" };
  if (reason === undefined || reason === "stop") return { type: "completed" };
  return { type: "incomplete", reason: identifier(reason, 64) ?? null };
}

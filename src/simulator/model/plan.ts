import type { Ending, Output } from "../script/output.ts";
import { madeUpText } from "./made-up-text.ts";

export interface Citation {
  readonly url: string;
  readonly title: string;
}

/** One output item before it is said; its deltas are its chunks. */
export type PlannedItem =
  | { readonly kind: "reasoning" }
  | {
      readonly kind: "message";
      readonly chunks: readonly string[];
      readonly phase?: "commentary" | "final_answer";
      readonly citations: readonly Citation[];
    }
  | { readonly kind: "refusal"; readonly chunks: readonly string[] }
  | { readonly kind: "function_call"; readonly name: string; readonly chunks: readonly string[] };

/** Everything the model is going to say. */
export interface Plan {
  readonly items: readonly PlannedItem[];
  readonly reasoningTokens: number;
}

/** @param reply what it says where the scenario gives no text */
export function planOutput(output: Output, ending: Ending, reply: string): Plan {
  const items = itemsOf(output, reply);
  return {
    items: isCutShort(ending) ? firstDeltas(items, ending.afterDeltas) : items,
    reasoningTokens: output.reasoningTokens ?? 0,
  };
}

/** A failure breaks off in the middle of the whole plan; only an end in good order shortens the plan itself. */
function isCutShort(ending: Ending): ending is Ending & { afterDeltas: number } {
  return ending.afterDeltas !== undefined && ending.status !== "failed";
}

function itemsOf(output: Output, reply: string): PlannedItem[] {
  const chunks = (text: string) => chunksOf(text, output.deltaChars);
  const items: PlannedItem[] = output.reasoningTokens ? [{ kind: "reasoning" }] : [];
  if (output.commentary !== undefined) {
    items.push({ kind: "message", phase: "commentary", chunks: chunks(output.commentary), citations: [] });
  }
  const answer = answerOf(output, reply, chunks);
  return answer ? [...items, answer] : items;
}

function answerOf(
  output: Output,
  reply: string,
  chunks: (text: string) => string[],
): PlannedItem | undefined {
  if (output.refusal !== undefined) return { kind: "refusal", chunks: chunks(output.refusal) };
  if (output.functionCall) {
    return {
      kind: "function_call",
      name: output.functionCall.name,
      chunks: chunks(output.functionCall.arguments),
    };
  }
  if (output.text === null) return undefined;
  const message = {
    kind: "message",
    chunks: chunks(textOf(output, reply)),
    citations: output.citations ?? [],
  } as const;
  return output.commentary === undefined ? message : { ...message, phase: "final_answer" };
}

function textOf({ text }: Output, reply: string): string {
  if (typeof text === "string") return text;
  return text ? madeUpText(text.chars) : reply;
}

/** Words, each with the space before it, as a tokenizer would; or pieces of so many whole characters. */
function chunksOf(text: string, size: number | undefined): string[] {
  if (size === undefined) return text.match(/\s*\S+|\s+$/g) ?? [];
  const characters = Array.from(text);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}

/** The items as far as the first `count` deltas go; an item that would say nothing of what it had to say is left out. */
function firstDeltas(items: readonly PlannedItem[], count: number): PlannedItem[] {
  const kept: PlannedItem[] = [];
  let left = count;
  for (const item of items) {
    if (item.kind === "reasoning") {
      kept.push(item);
    } else if (left > 0) {
      kept.push({ ...item, chunks: item.chunks.slice(0, left) });
      left -= item.chunks.length;
    }
  }
  return kept;
}

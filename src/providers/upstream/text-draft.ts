/** What is known of an answer while it arrives, where an answer is one text: plain, immutable data. */
import type { Outcome } from "../../../machines/evidence.ts";
import type { SettledReport } from "../provider.ts";
import { cut } from "./cut.ts";

export type TextEnding =
  | { type: "completed" }
  | { type: "refused" }
  | { type: "incomplete"; reason: string | null };

export interface TextDraft {
  /** Null until upstream took the call. */
  readonly responseId: string | null;
  readonly model: string | null;
  /** At most as much as can be kept; `chars` counts all of it, in UTF-16 units. */
  readonly text: string;
  readonly chars: number;
  /** Kinds of output there were, such as `message` or `tool_use`. */
  readonly kinds: readonly string[];
  readonly usage: Readonly<Record<string, unknown>> | null;
  readonly serviceTier: string | null;
  readonly promptTruncated: boolean;
  /** Set once upstream said that something went wrong: its code, or an empty text where it gave none. */
  readonly errorCode: string | null;
  /** Why upstream stopped, where it says so before the end. */
  readonly stop: string | null;
  readonly ending: TextEnding | null;
}

export const emptyTextDraft: TextDraft = {
  responseId: null,
  model: null,
  text: "",
  chars: 0,
  kinds: [],
  usage: null,
  serviceTier: null,
  promptTruncated: false,
  errorCode: null,
  stop: null,
  ending: null,
};

/** @param textBytes most bytes of UTF-8 that are kept; no more units than bytes are ever needed */
export function withText(draft: TextDraft, delta: string, textBytes: number): TextDraft {
  const text = draft.text.length >= textBytes ? draft.text : draft.text + delta;
  return withKind({ ...draft, text, chars: draft.chars + delta.length }, "message");
}

export function withKind(draft: TextDraft, kind: string): TextDraft {
  return draft.kinds.includes(kind) ? draft : { ...draft, kinds: [...draft.kinds, kind] };
}

/** The answer as far as it is known; null before upstream took the call. */
export function outcomeOf(draft: TextDraft, textBytes: number, reason: string | null): Outcome | null {
  const { responseId, model, chars, kinds, usage, serviceTier, promptTruncated, ending } = draft;
  if (responseId === null) return null;
  const kept = cut(draft.text, textBytes);
  const refused = ending?.type === "refused";
  return {
    responseId,
    model,
    text: refused ? "" : kept,
    refusal: refused ? kept : null,
    reason,
    usage: usage === null ? null : { ...usage },
    citations: [],
    kinds: [...kinds],
    fullChars: chars,
    truncated: kept.length < chars,
    ...(promptTruncated && { promptTruncated }),
    serviceTier,
    echo: {},
  };
}

/** The answer as the event the engine commits; null while it goes on. */
export function settledOf(draft: TextDraft, textBytes: number): SettledReport | null {
  const { ending } = draft;
  const outcome = ending && outcomeOf(draft, textBytes, "reason" in ending ? ending.reason : null);
  if (ending === null || outcome === null) return null;
  return { type: `upstream.${ending.type}`, outcome };
}

/** From a draft, or from upstream's final word, to the normalised answer. */
import type { Citation, Outcome } from "../../../machines/evidence.ts";
import { cut } from "../upstream/cut.ts";
import { identifier } from "../upstream/identifier.ts";
import { citationOf, withCitation } from "./citations.ts";
import type { Draft, DraftPart } from "./draft.ts";
import type { UpstreamItem, UpstreamPart, UpstreamResponse } from "./upstream.ts";

interface Content {
  text: Written;
  /** Null where there is no refusal part. */
  refusal: Written | null;
  citations: readonly Citation[];
  kinds: readonly string[];
}

/** Text, as much of it as is kept, and its length in UTF-16 units before anything was left out. */
interface Written {
  text: string;
  chars: number;
}

const maxKinds = 32;
const maxUsageBytes = 16_384;

/**
 * The answer as far as it is known, or null before upstream gave a response id.
 *
 * @param textBytes most bytes of text and refusal together
 * @param reason why it is not complete, where that is so
 */
export function outcomeOf(draft: Draft, textBytes: number, reason: string | null): Outcome | null {
  if (draft.responseId === null) return null;
  const response = draft.ending?.response ?? {};
  const content = best(contentOfOutput(response.output ?? []), contentOfDraft(draft));
  const refusal = content.refusal && cut(content.refusal.text, textBytes);
  const text = cut(content.text.text, textBytes - Buffer.byteLength(refusal ?? ""));
  return {
    responseId: draft.responseId,
    model: draft.model,
    text,
    refusal,
    reason,
    usage: usageOf(response),
    citations: [...content.citations],
    kinds: [...content.kinds],
    fullChars: (content.refusal ?? content.text).chars,
    truncated: text.length < content.text.chars || (refusal ?? "").length < (content.refusal?.chars ?? 0),
    serviceTier: draft.serviceTier,
    echo: draft.echo,
  };
}

/** Whether there is anything to show for an ending: its own output, or what was heard before it without a gap. */
export function isWhole(draft: Draft): boolean {
  if ((draft.ending?.response.output?.length ?? 0) > 0) return true;
  return draft.items.length + draft.parts.length > 0 && !draft.gap;
}

/** Upstream's final output decides; where it left something out that was heard, what was heard stands. */
function best(final: Content, heard: Content): Content {
  const { text, refusal } = final.text.chars === 0 && final.refusal === null ? heard : final;
  return {
    text,
    // An empty refusal beside a real answer is a server's way of saying there is none.
    refusal: refusal?.chars === 0 && text.chars > 0 ? null : refusal,
    citations: final.citations.length > 0 ? final.citations : heard.citations,
    kinds: final.kinds.length > 0 ? final.kinds : heard.kinds,
  };
}

function contentOfOutput(output: readonly UpstreamItem[]): Content {
  const parts = output.flatMap(({ type, content }) => (type === "message" ? (content ?? []) : []));
  return {
    text: whole(parts.flatMap(textOf).join("")),
    refusal: refusalIn(parts.flatMap(refusalOf).map(whole)),
    citations: parts
      .flatMap(({ annotations }) => annotations ?? [])
      .map(citationOf)
      .reduce(withCitation, []),
    kinds: kindsIn(output.map(({ type }) => type)),
  };
}

/** As the SDK's `output_text`: every text part of every message, commentary included. */
function textOf({ type, text }: UpstreamPart): string[] {
  return type === "output_text" && text !== undefined ? [text] : [];
}

function refusalOf({ type, refusal }: UpstreamPart): string[] {
  return type === "refusal" ? [refusal ?? ""] : [];
}

function contentOfDraft(draft: Draft): Content {
  const inOrder = [...draft.parts].sort((a, b) => a.item - b.item || a.slot - b.slot);
  const ofKind = (kind: DraftPart["kind"]) => inOrder.filter((part) => part.kind === kind);
  return {
    text: joined(ofKind("text")),
    refusal: refusalIn(ofKind("refusal")),
    citations: draft.citations,
    kinds: kindsIn([...draft.items].sort((a, b) => a.index - b.index).map(({ kind }) => kind)),
  };
}

function refusalIn(parts: readonly Written[]): Written | null {
  return parts.length === 0 ? null : joined(parts);
}

function joined(parts: readonly Written[]): Written {
  return {
    text: parts.map(({ text }) => text).join(""),
    chars: parts.reduce((sum, { chars }) => sum + chars, 0),
  };
}

function whole(text: string): Written {
  return { text, chars: text.length };
}

function kindsIn(kinds: readonly string[]): readonly string[] {
  return [...new Set(kinds.flatMap((kind) => identifier(kind, 64) ?? []))].slice(0, maxKinds);
}

/** Upstream's own object, unless it is of a size that no usage has. */
function usageOf({ usage }: UpstreamResponse): Outcome["usage"] {
  if (!usage || JSON.stringify(usage).length > maxUsageBytes) return null;
  return usage;
}

/** The text and refusal parts of a draft: appended to, announced, and at last given in full. */
import { citationOf, withCitation } from "./citations.ts";
import { type Draft, type DraftPart, maxPieces } from "./draft.ts";
import type { UpstreamPart } from "./upstream.ts";

export type Place = Pick<DraftPart, "item" | "slot">;
type PartKey = Pick<DraftPart, "item" | "slot" | "kind">;

/** How a whole part is taken, and how many UTF-16 units of the answer may be kept in all. */
export interface Writing {
  /** An announcement is usually empty, and may come late; it never takes the place of what was heard. */
  replaces: boolean;
  limit: number;
}

export const announced = (limit: number): Writing => ({ replaces: false, limit });
/** Upstream's last word on a part takes the place of its deltas. */
export const final = (limit: number): Writing => ({ replaces: true, limit });

/** The draft with a part that came as a whole, its citations included. */
export function withPart(draft: Draft, place: Place, part: UpstreamPart, writing: Writing): Draft {
  const cited = {
    ...draft,
    citations: (part.annotations ?? []).map(citationOf).reduce(withCitation, draft.citations),
  };
  if (part.type === "output_text")
    return written(cited, { ...place, kind: "text" }, part.text ?? "", writing);
  if (part.type === "refusal")
    return written(cited, { ...place, kind: "refusal" }, part.refusal ?? "", writing);
  return cited;
}

/** The draft with a part's whole text. */
export function written(
  draft: Draft,
  key: PartKey,
  whole: string | undefined,
  { replaces, limit }: Writing,
): Draft {
  const at = indexOf(draft, key);
  if (whole === undefined || (at >= 0 && !replaces)) return draft;
  const room = limit - draft.kept + (draft.parts[at]?.text.length ?? 0);
  return put(draft, at, { ...key, text: whole.slice(0, Math.max(0, room)), chars: whole.length });
}

/** The draft with more of a part's text. */
export function appended(draft: Draft, key: PartKey, delta: string | undefined, limit: number): Draft {
  if (delta === undefined) return draft;
  const at = indexOf(draft, key);
  const old = draft.parts[at] ?? { ...key, text: "", chars: 0 };
  const room = Math.max(0, limit - draft.kept);
  return put(draft, at, { ...old, text: old.text + delta.slice(0, room), chars: old.chars + delta.length });
}

/** The part being written is nearly always the last. */
function indexOf({ parts }: Draft, { item, slot, kind }: PartKey): number {
  return parts.findLastIndex((part) => part.item === item && part.slot === slot && part.kind === kind);
}

function put(draft: Draft, at: number, part: DraftPart): Draft {
  const old = draft.parts[at];
  if (old === undefined && draft.parts.length >= maxPieces) return { ...draft, gap: true };
  return {
    ...draft,
    parts: old === undefined ? [...draft.parts, part] : draft.parts.with(at, part),
    chars: draft.chars + part.chars - (old?.chars ?? 0),
    kept: draft.kept + part.text.length - (old?.text.length ?? 0),
  };
}

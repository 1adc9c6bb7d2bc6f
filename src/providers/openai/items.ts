/** The output items of a draft, and where in them an event belongs. */
import { type Draft, type DraftItem, maxPieces } from "./draft.ts";
import { type Place, type Writing, withPart } from "./parts.ts";
import type { UpstreamEvent } from "./upstream.ts";

/** Where an event belongs. A gateway that rotates item ids keeps the indexes, so those come first. */
export function placeOf(draft: Draft, { output_index, item_id, content_index = 0 }: UpstreamEvent): Place {
  return {
    item: output_index ?? itemCalled(draft, item_id)?.index ?? draft.items.at(-1)?.index ?? 0,
    slot: content_index,
  };
}

/** The draft with the event's item listed, and what the item already holds written. */
export function withItem(draft: Draft, { item, output_index }: UpstreamEvent, writing: Writing): Draft {
  if (item === undefined) return draft;
  const index = output_index ?? itemCalled(draft, item.id)?.index ?? draft.items.length;
  const listed = withListed(draft, { index, id: item.id ?? null, kind: item.type });
  const content = item.type === "message" ? (item.content ?? []) : [];
  return content.reduce((so, part, slot) => withPart(so, { item: index, slot }, part, writing), listed);
}

function withListed(draft: Draft, item: DraftItem): Draft {
  const at = draft.items.findIndex(({ index }) => index === item.index);
  if (at >= 0) return { ...draft, items: draft.items.with(at, item) };
  return draft.items.length < maxPieces ? { ...draft, items: [...draft.items, item] } : draft;
}

function itemCalled({ items }: Draft, id: string | undefined): DraftItem | undefined {
  return id === undefined ? undefined : items.find((item) => item.id === id);
}

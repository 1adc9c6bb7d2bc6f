/**
 * The one reducer of a Responses stream. Pure: the same events give the same draft, whatever carried them.
 * Unknown events only move the sequence number; missing numbers, indexes, ids and `output` are all survived.
 */

import { identifier } from "../upstream/identifier.ts";
import { citationOf, withCitation } from "./citations.ts";
import { type Draft, emptyDraft } from "./draft.ts";
import { placeOf, withItem } from "./items.ts";
import { announced, appended, final, withPart, written } from "./parts.ts";
import { endingOfEvent, endingOfResponse } from "./status.ts";
import { echoOf, type UpstreamEvent, type UpstreamResponse } from "./upstream.ts";

/**
 * The draft after one more event.
 *
 * @param textLimit most UTF-16 units of text to keep; what goes over is counted only
 */
export function reduce(draft: Draft, event: UpstreamEvent, textLimit: number): Draft {
  const ending = endingOfEvent(event);
  if (ending === null && wasHeard(draft, event)) return draft;
  const known = identified(numbered(draft, event.sequence_number), event.response);
  return ending === null ? absorb(known, event, textLimit) : { ...known, ending };
}

/** A Response that came as a whole, as the draft it amounts to. `askedFor` is the id it was fetched by. */
export function draftOf(response: UpstreamResponse, askedFor: string | null): Draft {
  return { ...identified(emptyDraft(askedFor), response), ending: endingOfResponse(response) };
}

/** A resumed stream may repeat what came before it broke off. */
function wasHeard({ heardThrough }: Draft, { sequence_number: number }: UpstreamEvent): boolean {
  return heardThrough !== null && number !== undefined && number <= heardThrough;
}

function numbered(draft: Draft, number: number | undefined): Draft {
  if (number === undefined) return draft;
  if (draft.after === null) return { ...draft, after: number };
  return {
    ...draft,
    after: Math.max(draft.after, number),
    gap: draft.gap || number > draft.after + 1,
  };
}

function identified(draft: Draft, response: UpstreamResponse | undefined): Draft {
  if (response === undefined) return draft;
  return {
    ...draft,
    responseId: draft.responseId ?? response.id ?? null,
    model: response.model?.slice(0, 256) ?? draft.model,
    serviceTier: identifier(response.service_tier, 64) ?? draft.serviceTier,
    echo: { ...draft.echo, ...echoOf(response) },
  };
}

function absorb(draft: Draft, event: UpstreamEvent, limit: number): Draft {
  switch (event.type) {
    case "response.output_item.added":
      return withItem(draft, event, announced(limit));
    case "response.output_item.done":
      return withItem(draft, event, final(limit));
    case "response.content_part.added":
      return event.part === undefined
        ? draft
        : withPart(draft, placeOf(draft, event), event.part, announced(limit));
    case "response.content_part.done":
      return event.part === undefined
        ? draft
        : withPart(draft, placeOf(draft, event), event.part, final(limit));
    case "response.output_text.delta":
      return appended(draft, { ...placeOf(draft, event), kind: "text" }, event.delta, limit);
    case "response.refusal.delta":
      return appended(draft, { ...placeOf(draft, event), kind: "refusal" }, event.delta, limit);
    case "response.output_text.done":
      return written(draft, { ...placeOf(draft, event), kind: "text" }, event.text, final(limit));
    case "response.refusal.done":
      return written(draft, { ...placeOf(draft, event), kind: "refusal" }, event.refusal, final(limit));
    case "response.output_text.annotation.added":
      return { ...draft, citations: withCitation(draft.citations, citationOf(event.annotation)) };
    case "error":
      return { ...draft, errorCode: identifier(event.code, 128) ?? "" };
    default:
      return draft;
  }
}

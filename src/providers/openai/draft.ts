/** What is known of a response while its stream goes on: plain, immutable data. */
import type { Citation, Echo } from "../../../machines/evidence.ts";
import type { Carry } from "../provider.ts";
import type { Ending } from "./status.ts";

/** Most items, and most parts, of one answer. A stream that makes up more has its further ones left out. */
export const maxPieces = 1_000;

export interface DraftItem {
  /** Its `output_index`. */
  readonly index: number;
  readonly id: string | null;
  /** What upstream calls it, such as `message`. */
  readonly kind: string;
}

export interface DraftPart {
  readonly item: number;
  readonly slot: number;
  readonly kind: "text" | "refusal";
  /** At most as much as can be kept; `chars` counts all of it, in UTF-16 units. */
  readonly text: string;
  readonly chars: number;
}

export interface Draft {
  /** The first id heard; some gateways show another one in each event. */
  readonly responseId: string | null;
  readonly model: string | null;
  readonly serviceTier: string | null;
  readonly echo: Echo;
  /** Highest sequence number heard, null where the server numbers nothing. */
  readonly after: number | null;
  /** On a resumed stream, events up to this number are already in here. */
  readonly heardThrough: number | null;
  /** Whether numbers were skipped, so that text may be missing. */
  readonly gap: boolean;
  readonly items: readonly DraftItem[];
  readonly parts: readonly DraftPart[];
  readonly citations: readonly Citation[];
  /** UTF-16 units heard so far, and how many of them are kept. */
  readonly chars: number;
  readonly kept: number;
  /** Set once upstream said `error`: its code, or an empty text where it gave none. */
  readonly errorCode: string | null;
  readonly ending: Ending | null;
}

/** @param responseId the id asked for, where the stream is not the one that names it first */
export function emptyDraft(responseId: string | null = null): Draft {
  return {
    responseId,
    model: null,
    serviceTier: null,
    echo: {},
    after: null,
    heardThrough: null,
    gap: false,
    items: [],
    parts: [],
    citations: [],
    chars: 0,
    kept: 0,
    errorCode: null,
    ending: null,
  };
}

interface DraftCarry extends Carry {
  readonly draft: Draft;
}

/** What goes on with a stream that broke off; null before there was a response to go on with. */
export function carryOf(draft: Draft): DraftCarry | null {
  return draft.responseId === null ? null : { after: draft.after, chars: draft.chars, draft };
}

/**
 * Where a resumed stream goes on. Without numbers nothing could tell a repeat from news, so it starts over.
 */
export function resumedDraft(responseId: string, carry: Carry | null): Draft {
  if (carry === null || carry.after === null || !isDraftCarry(carry)) return emptyDraft(responseId);
  return { ...carry.draft, heardThrough: carry.after, errorCode: null };
}

function isDraftCarry(carry: Carry): carry is DraftCarry {
  return "draft" in carry;
}

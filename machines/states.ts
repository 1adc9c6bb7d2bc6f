/**
 * The names, and what a person should be told about each. Zod, Drizzle, pictures, tables and documents all
 * read this list; nobody else spells a state.
 */

export const liveStates = ["claimed", "streaming"] as const;
export const unresolvedStates = ["recovery_required", "unknown_outcome"] as const;
export const finalStates = ["completed", "refused", "incomplete", "failed", "abandoned"] as const;
export const requestStates = [...liveStates, ...unresolvedStates, ...finalStates] as const;

export type RequestState = (typeof requestStates)[number];

/** Somebody works on it · it needs an answer found or a decision · nothing will ever move it again. */
export type Phase = "live" | "unresolved" | "final";

interface StateCard {
  phase: Phase;
  /** One character, told apart without colour. */
  glyph: string;
  /** The same in plain ASCII, for terminals that have nothing else. */
  ascii: string;
  sentence: string;
}

export const stateCards: Record<RequestState, StateCard> = {
  claimed: {
    phase: "live",
    glyph: "◌",
    ascii: "o",
    sentence: "The intent to send is committed; upstream has not answered yet.",
  },
  streaming: {
    phase: "live",
    glyph: "◐",
    ascii: "~",
    sentence: "Upstream gave a response id; the answer is arriving.",
  },
  recovery_required: {
    phase: "unresolved",
    glyph: "↻",
    ascii: "?",
    sentence: "The answer exists or is being made upstream; it can be collected without a new generation.",
  },
  unknown_outcome: {
    phase: "unresolved",
    glyph: "‽",
    ascii: "!",
    sentence: "The call may have been made and billed, and upstream cannot be asked. A person decides.",
  },
  completed: { phase: "final", glyph: "●", ascii: "*", sentence: "The answer is here." },
  refused: { phase: "final", glyph: "⊘", ascii: "/", sentence: "The model declined to answer." },
  incomplete: {
    phase: "final",
    glyph: "◑",
    ascii: "%",
    sentence: "The answer ended early; what there is was kept.",
  },
  failed: {
    phase: "final",
    glyph: "✕",
    ascii: "x",
    sentence: "There is no answer, and the evidence says why.",
  },
  abandoned: {
    phase: "final",
    glyph: "○",
    ascii: "-",
    sentence: "A caller gave the request up; upstream may still finish and bill it.",
  },
};

export function phaseOf(state: RequestState): Phase {
  return stateCards[state].phase;
}

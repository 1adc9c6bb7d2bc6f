/** Who asks what: the inputs that lives on the stage begin with, and how to ask so that a request gets them. */
import type { RequestInput } from "../../../machines/request.ts";
import { deadline, firstTurn, predecessor, start } from "../../machine/samples.ts";

export interface Story {
  input: RequestInput;
  /** A later turn continues a session whose first answer is as young as the claim. */
  laterTurn: boolean;
}

/** The engine's own bound, see `maxAttempts` in claims.ts: no deadline leaves room for as many. */
const maxAttempts = 64;
const first: RequestInput = { ...firstTurn, deadlineAt: deadline, maxAttempts };

export const stories: Readonly<Record<string, Story>> = {
  "a first turn": { input: first, laterTurn: false },
  "a call in the foreground": { input: { ...first, background: false }, laterTurn: false },
  "a provider that keeps nothing": {
    input: { ...first, background: false, retrievable: false },
    laterTurn: false,
  },
  "a later turn on a young predecessor": {
    input: { ...first, predecessor, predecessorRetryUntil: start + 30_000 },
    laterTurn: true,
  },
};

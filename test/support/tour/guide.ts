/** What a channel must hold by itself, in the situations that recur. */
import { expect } from "vitest";
import type { Said } from "../said.ts";

type Visit = (tool: string, args: Record<string, unknown>, holds: Said) => Promise<Said>;

/** Makes a call and notes what either channel of its result must hold. */
export interface Guide {
  /** A result that is no error. */
  fine: Visit;
  wrong: Visit;
}

export const text = expect.stringMatching(/\S/);

/** A call that was refused. */
export const error = (code: string, more: Said = {}): Said => ({
  status: "error",
  code,
  message: text,
  next: text,
  ...more,
});

/** What is known of a request. */
export const about = (id: unknown, status: string, more: Said = {}): Said => ({
  request_id: id,
  session_id: text,
  status,
  next: text,
  ...more,
});

/**
 * What goes to the client with a question and comes back with the answer. "If `requestState` influences
 * authorization, resource access, or business logic, servers MUST protect its integrity" (specification 2026-07-28,
 * basic/patterns/mrtr): it is a mark of the question under the key of the database. So the server that asked may be
 * gone when the answer comes, any other on the same database knows its own question again, and nobody can make up
 * one. That it is used once follows from what it is bound to: a session's id is deleted once, and what was given up
 * is not asked about again.
 */
import { timingSafeEqual } from "node:crypto";
import type { Engine } from "../../engine/engine.ts";
import type { Question } from "./question.ts";

/** People are not always at their desk; much later they no longer know what they were asked. */
const countsForMs = 3_600_000;

type Sealing = Pick<Engine, "seal">;
type Sealed = Pick<Question, "facts">;

export function sealOf(engine: Sealing, question: Sealed): string {
  return sealUntil(engine, question, Date.now() + countsForMs);
}

/** Whether `state` is the seal of this very question, and not too old. */
export function isSealOf(engine: Sealing, question: Sealed, state: unknown): boolean {
  if (typeof state !== "string") return false;
  const until = Number(state.slice(0, state.indexOf(".")));
  return until > Date.now() && isEqual(state, sealUntil(engine, question, until));
}

function sealUntil(engine: Sealing, { facts }: Sealed, until: number): string {
  return `${until}.${engine.seal(["confirmation", String(until), ...facts])}`;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * What the engine needs of whoever generates answers. The engine asks `capabilities`, never the name.
 * A provider reports facts; it decides nothing about the request's life and stores nothing.
 */

import type { RequestEvent, Unstamped } from "../../machines/events.ts";
import type { Echo, Failure, Outcome } from "../../machines/evidence.ts";
import type { AnswerFormat } from "../contract/answer-format.ts";
import type { EffectiveSettings } from "../contract/settings.ts";

export interface Capabilities {
  /** A finished or running response can be asked for by id. */
  retrieve: boolean;
  /** Work can go on upstream without a connection. */
  background: boolean;
  /** Background work can be stopped by id. */
  cancel: boolean;
  /** A turn can name the response before it instead of carrying the conversation. */
  chaining: boolean;
  /** An answer can be held to a JSON schema. */
  schema: boolean;
}

/** A turn of a conversation that upstream does not keep. */
export interface Turn {
  readonly message: string;
  readonly answer: string;
}

/** The one call that costs money. Held in memory only; a process that loses it can never send it again. */
export interface PaidCall {
  requestId: string;
  message: string;
  /** Sent with every call, since upstream does not carry instructions over; null sends none. */
  instructions: string | null;
  previousResponseId: string | null;
  /** The conversation so far, oldest turn first; empty where upstream keeps it (`chaining`). */
  transcript: readonly Turn[];
  /** A provider without `schema` leaves it out. */
  format: AnswerFormat | null;
  settings: EffectiveSettings;
}

/** What a reducer knows of a stream that broke off, handed back to go on without a gap or a repeat. */
export interface Carry {
  /** Sequence number of the last event reduced, or null where the server numbers nothing. */
  readonly after: number | null;
  /** UTF-16 units of text so far. */
  readonly chars: number;
}

type EventReport<T extends RequestEvent["type"]> = Unstamped<Extract<RequestEvent, { type: T }>>;

/** An answer or its end, as an event that wants only its time. */
export type SettledReport = EventReport<
  "upstream.completed" | "upstream.refused" | "upstream.incomplete" | "upstream.failed" | "upstream.cancelled"
>;

/** Facts of one attempt, in order. Exactly one closing report ends a stream. */
export type StreamReport =
  | EventReport<"upstream.accepted">
  /** A resumed stream is really live: its first event arrived. */
  | { type: "attached" }
  /** Anything else upstream sent; a sign of life. Never stored. */
  | { type: "progress"; chars: number; sequence: number | null }
  | ClosingReport;

export type ClosingReport =
  | { type: "upstream.unstarted"; failure: Failure; retryAfterMs: number | null }
  | EventReport<"upstream.rejected">
  /** `partial` is what had arrived of the answer, null before it was accepted. */
  | (EventReport<"upstream.lost"> & { partial: Outcome | null; carry: Carry | null })
  | SettledReport
  /** Our own signal ended it; `partial` is what had arrived. */
  | { type: "aborted"; partial: Outcome | null; carry: Carry | null }
  /** The question is with a person now; whoever has the answer brings it. */
  | { type: "handed_over" };

export type Retrieval =
  | SettledReport
  | { type: "retrieval.pending"; status: string; model: string | null; echo: Echo }
  | { type: "retrieval.faulted"; failure: Failure; retryAfterMs: number | null }
  | { type: "retrieval.missing" };

/** How a person is asked, and what an answer of theirs is. */
export interface Person {
  /** All that they need, ready to be copied. */
  promptFor(call: PaidCall): string;
  answerOf(responseId: string, text: string): Outcome;
}

export interface Provider {
  readonly name: string;
  readonly capabilities: Capabilities;
  /** One-way mark of endpoint and key; a response can only be asked for with the one that made it. */
  readonly fingerprint: string;
  /** Where a person answers: nothing is sent or paid, and the answer may come at any time, from any process. */
  readonly person?: Person;
  /** Names of the settings given that it has no equivalent of; such a call is refused before anything is sent. */
  cannot?(settings: EffectiveSettings): readonly string[];
  /**
   * Makes the paid call: exactly one HTTP request, never repeated by the provider.
   * Never throws for what upstream does; after `signal` aborts it closes with `aborted` (or with the fact that won).
   */
  send(call: PaidCall, signal: AbortSignal): AsyncIterable<StreamReport>;
  /** Re-attaches to a background response's stream, after `carry` or from its beginning. Generates nothing. */
  resume(responseId: string, carry: Carry | null, signal: AbortSignal): AsyncIterable<StreamReport>;
  /** Asks once for the response as it is now. Never throws for what upstream does. */
  retrieve(responseId: string, signal: AbortSignal): Promise<Retrieval>;
  /** Asks once to stop a background response; the reply is the response as it is then. */
  cancel(responseId: string, signal: AbortSignal): Promise<Retrieval>;
}

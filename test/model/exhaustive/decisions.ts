/** The real machine, asked once for each question: the search asks the same few thousands over and over. */
import { begin, decide } from "../../../machines/decide.ts";
import type { EffectType } from "../../../machines/effects.ts";
import { eventAuthority, type RequestEvent } from "../../../machines/events.ts";
import type { RequestInput } from "../../../machines/request.ts";
import {
  machineVersion,
  persist,
  type RequestSnapshot,
  rehydrate,
  stateOf,
} from "../../../machines/snapshots.ts";
import type { RequestState } from "../../../machines/states.ts";
import { deadline, later, outcome, sample, soon } from "../../machine/samples.ts";

export interface Place {
  /** The snapshot as it is stored, which names the place. */
  stored: string;
  state: RequestState;
  deferred: boolean;
  live: boolean;
  final: boolean;
  responseId: string | null;
  /** A later GET can find the response. */
  retrievable: boolean;
  background: boolean;
  cancelAsked: boolean;
  missed: boolean;
}

export interface Decided {
  to: Place;
  effects: EffectType[];
}

/** What is told apart of all that can happen; times and payloads are the samples'. */
export const happenings = {
  unstarted: sample("upstream.unstarted", { retryAt: soon }),
  rejected: sample("upstream.rejected"),
  accepted: sample("upstream.accepted"),
  acceptedInForeground: sample("upstream.accepted", {
    echo: { store: true, background: false, previousResponseId: null },
  }),
  lost: sample("upstream.lost"),
  completed: sample("upstream.completed"),
  refused: sample("upstream.refused"),
  incomplete: sample("upstream.incomplete"),
  cancelledUpstream: sample("upstream.cancelled"),
  retryDue: sample("retry.due", { at: soon }),
  deadline: sample("deadline.passed", { at: deadline }),
  stopped: sample("stream.stopped"),
  reattached: sample("stream.reattached"),
  ownerLost: sample("lease.expired"),
  missing: sample("retrieval.missing"),
  gone: sample("retrieval.missing", { at: later }),
  pending: sample("retrieval.pending"),
  cancelFaulted: sample("cancel.faulted"),
  cancel: sample("caller.cancelled"),
  abandon: sample("caller.abandoned"),
  attach: sample("caller.attached", { responseId: outcome().responseId }),
} as const satisfies Record<string, RequestEvent>;

export type Happening = keyof typeof happenings;

export const authorityOf = (happening: Happening) => eventAuthority[happenings[happening].type];

const places = new Map<string, { place: Place; snapshot: RequestSnapshot; number: number }>();
const decisions = new Map<string, Decided | null>();

export function firstPlace(input: RequestInput): Place {
  return placeOf(begin(input).next);
}

export function placeAt(stored: string): Place {
  return known(stored).place;
}

/** A short name of the place. */
export function numberOf(stored: string): number {
  return known(stored).number;
}

/** Null where the machine ignores it. */
export function decided(stored: string, happening: Happening): Decided | null {
  const question = `${happening} ${stored}`;
  const before = decisions.get(question);
  if (before !== undefined) return before;
  const { next, effects, changed } = decide(known(stored).snapshot, happenings[happening]);
  const now = changed ? { to: placeOf(next), effects: effects.map(({ type }) => type) } : null;
  decisions.set(question, now);
  return now;
}

function known(stored: string) {
  const found = places.get(stored);
  if (!found) throw new Error("A place that no decision led to.");
  return found;
}

function placeOf(next: RequestSnapshot): Place {
  const stored = JSON.stringify(persist(next));
  const found = places.get(stored);
  if (found) return found.place;
  const snapshot = rehydrate(machineVersion, JSON.parse(stored));
  const { upstream, cancel, missingSince } = snapshot.context;
  const place: Place = {
    stored,
    state: stateOf(snapshot),
    deferred: typeof snapshot.value === "object" && snapshot.value.claimed === "deferred",
    live: snapshot.hasTag("live"),
    final: snapshot.status === "done",
    responseId: upstream?.responseId ?? null,
    retrievable: upstream?.retrievable === true,
    background: upstream?.background === true,
    cancelAsked: cancel?.asking === "asked",
    missed: missingSince !== null,
  };
  places.set(stored, { place, snapshot, number: places.size });
  return place;
}

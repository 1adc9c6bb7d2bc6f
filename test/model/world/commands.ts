/**
 * What can be done to a life at any moment, for fast-check to do in any order. The model is the pure machine's
 * snapshot; after each command the stored life has to be the model's.
 */

import fc from "fast-check";
import { expect } from "vitest";
import { begin, decide } from "../../../machines/decide.ts";
import type { RequestEventType } from "../../../machines/events.ts";
import { isLive, type RequestSnapshot, rehydrate, stateOf } from "../../../machines/snapshots.ts";
import type { Store } from "../../../src/store/store.ts";
import { deadline, start } from "../../machine/samples.ts";
import { expectModelled, expectReplayed, isModelled } from "./agreement.ts";
import type { Direction } from "./directions.ts";
import type { Life } from "./life.ts";
import { possibleIn } from "./paths.ts";
import type { Story } from "./stories.ts";
import type { Striker } from "./striker.ts";

export interface Model {
  snapshot: RequestSnapshot;
  /** All who worked on it are dead: nothing that they set going comes back. */
  orphaned: boolean;
  /** Upstream never heard of it, so there is nothing to be found there. */
  unheard: boolean;
  /** How upstream ended it while nobody was there to hear; null where it did not. */
  ended: RequestEventType | null;
}

export interface Played {
  life: Life;
  store: Store;
  striker: Striker;
  story: Story;
  sessionId: string | undefined;
  /** What was done so far, in words: commands are drawn by number, so they do not know it beforehand. */
  said: string[];
  /** Told of every step that was taken. */
  onStep(before: RequestSnapshot, direction: Direction, after: RequestSnapshot): void;
}

type Command = fc.AsyncCommand<Model, Played>;

export const begun = (story: Story): Model => ({
  snapshot: begin(story.input).next,
  orphaned: false,
  unheard: false,
  ended: null,
});

/** One of the things that can happen now. */
class Happens implements Command {
  readonly #choice: number;
  constructor(choice: number) {
    this.#choice = choice;
  }
  check(model: Readonly<Model>): boolean {
    return possibleNow(model).length > 0;
  }
  async run(model: Model, played: Played): Promise<void> {
    const direction = chosen(model, this.#choice);
    played.said.push(direction.event.type);
    await played.life.happen(direction.event, direction.direct);
    move(model, direction, played);
    await expectAgreement(model, played);
  }
  toString(): string {
    return `happens(${this.#choice})`;
  }
}

/** Everybody dies at one moment of what happens, and somebody new looks at what is left. */
class Crashes implements Command {
  readonly #choice: number;
  readonly #nth: number;
  constructor(choice: number, nth: number) {
    this.#choice = choice;
    this.#nth = nth;
  }
  check(model: Readonly<Model>): boolean {
    return possibleNow(model).length > 0;
  }
  async run(model: Model, played: Played): Promise<void> {
    const direction = chosen(model, this.#choice);
    const { life, striker, store } = played;
    played.said.push(`${direction.event.type}, struck at moment ${this.#nth}`);
    await striker.arm("killed", this.#nth);
    const point = await striker.outcomeOf(life.happen(direction.event, direction.direct));
    if (point === null) move(model, direction, played);
    else await followed(model, direction, played, (await store.load(life.id))?.version ?? 0);
    await expectAgreement(model, played);
  }
  toString(): string {
    return `crashes(${this.#choice}, ${this.#nth})`;
  }
}

/** The caller repeats its call, at another process. */
class AskedAgain implements Command {
  check(): boolean {
    return true;
  }
  async run(model: Model, played: Played): Promise<void> {
    const { life, story, sessionId, said } = played;
    said.push("asked again");
    await life.askAgain(await life.hire(), story.input, sessionId);
    await expectAgreement(model, played);
  }
  toString(): string {
    return "askedAgain()";
  }
}

/** Everybody's wall clock is wrong for a while. Nobody may be taken for dead because of it. */
class ClocksJump implements Command {
  readonly #ms: number;
  constructor(ms: number) {
    this.#ms = ms;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, played: Played): Promise<void> {
    const { life, said } = played;
    said.push(`clocks jump by ${this.#ms} ms`);
    await life.jump(Math.max(0, start + this.#ms));
    await (await life.hire()).inspect(life.id);
    await life.jump(Math.min(start, deadline));
    await expectAgreement(model, played);
  }
  toString(): string {
    return `clocksJump(${this.#ms})`;
  }
}

/** `choice` picks among what is possible then, so that any choice means something in any state. */
const choices = fc.nat({ max: 997 });

export const anyCommand: fc.Arbitrary<Command>[] = [
  choices.map((choice) => new Happens(choice)),
  choices.map((choice) => new Happens(choice)),
  choices.map((choice) => new Happens(choice)),
  fc.tuple(choices, fc.integer({ min: 1, max: 6 })).map(([choice, nth]) => new Crashes(choice, nth)),
  fc.constant(new AskedAgain()),
  fc.integer({ min: -86_400_000, max: 86_400_000 }).map((ms) => new ClocksJump(ms)),
];

function possibleNow(model: Readonly<Model>): Direction[] {
  const possible = possibleIn(model.snapshot);
  return model.orphaned ? possible.filter(({ event }) => comesWithoutAnOwner(event.type, model)) : possible;
}

const endings: readonly RequestEventType[] = [
  "upstream.completed",
  "upstream.refused",
  "upstream.incomplete",
  "upstream.failed",
];

/** What a caller wishes and what can be asked of upstream needs nobody from before. */
function comesWithoutAnOwner(type: RequestEventType, { snapshot, unheard, ended }: Readonly<Model>): boolean {
  if (type === "caller.abandoned") return true;
  if (stateOf(snapshot) === "unknown_outcome") return type === "caller.attached" && !unheard;
  if (type === "cancel.faulted" || type === "upstream.cancelled") return false;
  if (ended === null) return true;
  return endings.includes(type) ? type === ended : type !== "stream.reattached";
}

function chosen(model: Readonly<Model>, choice: number): Direction {
  const possible = possibleNow(model);
  const direction = possible[choice % possible.length];
  if (!direction) throw new Error("Nothing is possible here.");
  return direction;
}

function move(model: Model, direction: Direction, { onStep }: Played) {
  const before = model.snapshot;
  model.snapshot = decide(before, direction.event).next;
  // Whoever re-attached works on it from now on.
  if (direction.event.type === "stream.reattached") model.orphaned = false;
  onStep(before, direction, model.snapshot);
}

/** The step is stored or it is not; then the machine says what a lost owner means. */
async function followed(model: Model, direction: Direction, played: Played, version: number) {
  const { life, store } = played;
  await life.crash();
  await life.breathe();
  model.unheard = !life.isHeardOf;
  if (endings.includes(direction.event.type) && life.isEndedUpstream) model.ended ??= direction.event.type;
  const left = await store.load(life.id);
  if (left === null) throw new Error("The request is gone.");
  expect(left.version).toBeGreaterThanOrEqual(version);
  const after = decide(model.snapshot, direction.event).next;
  const stored = rehydrate(left.machineVersion, left.snapshot);
  const now = [model.snapshot, after].find((one) => isModelled(stored, one));
  if (!now) throw new Error(`neither before nor after ${direction.event.type}, but ${left.state}`);
  model.snapshot = isLive(left.state) ? decide(now, { type: "lease.expired", at: start }).next : now;
  model.orphaned = true;
  const worker = await life.hire();
  await worker.inspect(life.id);
  await life.goOnWith(worker);
}

async function expectAgreement({ snapshot }: Model, { life, store }: Played) {
  expectModelled(await life.journal(), snapshot);
  await expectReplayed(store, life.id);
  expect(life.paid).toBeLessThanOrEqual(1);
}

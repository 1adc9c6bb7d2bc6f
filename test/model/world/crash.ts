/**
 * One life, struck at one moment of one write of one step, and taken up again by a worker that has only what was
 * stored. What must come of it the machine itself says: a lost owner's `lease.expired`.
 */
import { expect } from "vitest";
import { decide } from "../../../machines/decide.ts";
import { isLive, type RequestSnapshot, rehydrate, stateOf } from "../../../machines/snapshots.ts";
import type { RequestRecord } from "../../../src/store/store.ts";
import { start } from "../../machine/samples.ts";
import { expectReplayed } from "./agreement.ts";
import { Life } from "./life.ts";
import type { PlayedStep } from "./paths.ts";
import { sessionOf } from "./play.ts";
import { type House, setStage } from "./stage.ts";
import type { Story } from "./stories.ts";
import type { Blow, Place, Striker } from "./striker.ts";
import type { CrashPoint } from "./worker.ts";

export interface Crash {
  story: Story;
  before: readonly PlayedStep[];
  /** Null for the claim. */
  step: PlayedStep | null;
  blow: Blow;
  /** Which moment of which write in the step, from 1. */
  nth: number;
  /** Which moment of the restart's own writes strikes again; 0 for none. */
  nthAgain: number;
}

export interface Struck {
  /** Where it struck; null where the step has no such moment, and so went through. */
  point: CrashPoint | null;
  place: Place | null;
  /** Where the restart was struck. */
  again: CrashPoint | null;
}

/** @throws where what came of it is not what the machine says, or a call was paid for twice */
export async function crash(house: House, struck: Crash, striker: Striker): Promise<Struck> {
  const { story, before, step, blow, nth, nthAgain } = struck;
  const stage = await setStage(house, { retrievable: story.input.retrievable, start: striker.start });
  const life = new Life(stage, start);
  try {
    const sessionId = await sessionOf(stage, story);
    if (step !== null) await life.claim(story.input, sessionId);
    for (const { event, direction } of before) await life.happen(event, direction.direct);
    // What is still on its way is not to be taken for another one later.
    if (step !== null)
      await life.postsSettle(1 + before.filter(({ event }) => event.type === "retry.due").length);
    const earlier = await house.store.load(life.id);

    await striker.arm(blow, nth);
    const going = step
      ? life.happen(step.event, step.direction.direct)
      : life.claim(story.input, sessionId).catch(storageOnly);
    const point = await striker.outcomeOf(going);
    const place = striker.place();
    if (point === null) return { point, place, again: null };
    if (blow !== "killed") await life.breathe();
    await life.crash();

    const left = await house.store.load(life.id);
    expectBeforeOrAfter(earlier, left, before.at(-1)?.after ?? null, step);
    const posts = life.posts;
    const again = left === null ? null : await takeUp(life, house, left, nthAgain);
    await askAgain(life, story, sessionId, left === null ? posts + 1 : posts);
    // A process that lives on after a fault of its disk may still send what it had stored; a dead one may not.
    if (blow === "killed") expect(life.posts).toBe(left === null ? posts + 1 : posts);
    expect(life.posts).toBeLessThanOrEqual(await sendingsStored(house, life));
    expect(life.paid).toBeLessThanOrEqual(1);
    return { point, place, again };
  } finally {
    await life.end();
    await stage.simulator.close();
  }

  /** Whoever comes next finds what a lost owner means here; whoever comes after that changes nothing. */
  async function takeUp(life: Life, { store }: House, left: RequestRecord, again: number) {
    const first = await life.hire();
    await striker.arm("killed", again);
    const point = await striker.outcomeOf(first.inspect(life.id));
    if (point !== null) {
      await life.crash();
      await (await life.hire()).inspect(life.id);
    }
    const taken = await store.load(life.id);
    expect(taken?.state).toBe(stateOf(afterRestart(snapshotOf(left))));
    await expectReplayed(store, life.id);
    await life.crash();
    await (await life.hire()).inspect(life.id);
    expect(await store.load(life.id)).toEqual(taken);
    return point;
  }
}

/** The call is made again by its caller: it finds its request, and only where there is none it makes one. */
async function askAgain(life: Life, story: Story, sessionId: string | undefined, posts: number) {
  await life.askAgain(await life.hire(), story.input, sessionId);
  await life.postsSettle(posts);
}

/** Each intent to send is a row: the claim, and every retry that came in time. */
async function sendingsStored({ store }: House, { id }: Life): Promise<number> {
  const rows = await store.journal(id);
  return rows.filter(({ type, state }) => type === "claimed" || (type === "retry.due" && state === "claimed"))
    .length;
}

/** What is stored is the state before the step or after it, and nothing between. */
function expectBeforeOrAfter(
  earlier: RequestRecord | null,
  left: RequestRecord | null,
  before: RequestSnapshot | null,
  step: PlayedStep | null,
) {
  if (left === null || earlier === null || left.version === earlier.version) {
    expect(step === null || left?.state === earlier?.state).toBe(true);
    return;
  }
  expect(left.version).toBeGreaterThan(earlier.version);
  if (left.version === earlier.version + 1)
    expect(left.state).toBe(stateOf(step?.after ?? before ?? snapshotOf(left)));
}

function snapshotOf(record: RequestRecord): RequestSnapshot {
  return rehydrate(record.machineVersion, record.snapshot);
}

function afterRestart(left: RequestSnapshot): RequestSnapshot {
  return isLive(stateOf(left)) ? decide(left, { type: "lease.expired", at: start }).next : left;
}

/** A caller is told when storage failed; anything else is no business of these tests. */
function storageOnly(error: unknown) {
  if (!/storage_/.test(String(Reflect.get(Object(error), "code")))) throw error;
}

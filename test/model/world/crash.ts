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
import type { CrashPoint } from "./worker.ts";

/** What happens to a write: the process dies in it, or the storage fails it. */
export type Blow = "killed" | "SQLITE_IOERR_WRITE" | "SQLITE_FULL" | "SQLITE_BUSY";

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
  /** The same of the restart. */
  again: CrashPoint | null;
}

/** @throws where what came of it is not what the machine says, or a call was paid for twice */
export async function crash(
  house: House,
  { story, before, step, blow, nth, nthAgain }: Crash,
): Promise<Struck> {
  const striker = createStriker();
  const stage = await setStage(house, { retrievable: story.input.retrievable, faults: striker.faults });
  const life = new Life(stage, start);
  try {
    const sessionId = await sessionOf(stage, story);
    if (step !== null) await life.claim(story.input, sessionId);
    for (const { event, direction } of before) await life.happen(event, direction.direct);
    // What is still on its way is not to be taken for another one later.
    if (step !== null)
      await life.postsSettle(1 + before.filter(({ event }) => event.type === "retry.due").length);
    const earlier = await house.store.load(life.id);

    striker.arm(blow, nth);
    const going = step
      ? life.happen(step.event, step.direction.direct)
      : life.claim(story.input, sessionId).catch(storageOnly);
    const point = await striker.outcomeOf(going);
    if (point === null) return { point, again: null };
    await life.crash();

    const left = await house.store.load(life.id);
    expectBeforeOrAfter(earlier, left, before.at(-1)?.after ?? null, step);
    const posts = life.posts;
    const again = left === null ? null : await takeUp(life, house, left, striker, nthAgain);
    await expectAskedOnce(life, story, sessionId, left === null ? posts + 1 : posts);
    expect(life.paid).toBeLessThanOrEqual(1);
    return { point, again };
  } finally {
    await life.end();
    await stage.simulator.close();
  }

  /** Whoever comes next finds what a lost owner means here; whoever comes after that changes nothing. */
  async function takeUp(struck: Life, { store }: House, left: RequestRecord, strike: Striker, again: number) {
    strike.arm("killed", again);
    const first = await struck.hire();
    const point = await strike.outcomeOf(first.inspect(struck.id));
    if (point !== null) {
      await struck.crash();
      await (await struck.hire()).inspect(struck.id);
    }
    const taken = await store.load(struck.id);
    expect(taken?.state).toBe(stateOf(afterRestart(snapshotOf(left))));
    await expectReplayed(store, struck.id);
    await struck.crash();
    await (await struck.hire()).inspect(struck.id);
    expect(await store.load(struck.id)).toEqual(taken);
    return point;
  }
}

/** The call is made again by its caller: it finds its request, and only where there is none it makes one. */
async function expectAskedOnce(life: Life, story: Story, sessionId: string | undefined, posts: number) {
  await life.askAgain(await life.hire(), story.input, sessionId);
  expect(await life.postsSettle(posts)).toBe(posts);
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

type Striker = ReturnType<typeof createStriker>;

/** Counts the moments of all writes and strikes at one of them, once. */
function createStriker() {
  let armed: { blow: Blow; left: number } | null = null;
  let struck: CrashPoint | null = null;

  function faults(point: CrashPoint): "die" | undefined {
    if (armed === null) return undefined;
    armed.left -= 1;
    if (armed.left > 0) return undefined;
    const { blow } = armed;
    armed = null;
    struck = point;
    if (blow === "killed") return "die";
    throw Object.assign(new Error(`a fault of the disk at ${point}`), { code: blow });
  }

  return {
    faults,
    arm(blow: Blow, nth: number) {
      armed = nth > 0 ? { blow, left: nth } : null;
      struck = null;
    },
    /** Where it struck before `going` came to its end; null where it did not. What the blow makes of it is not waited for. */
    async outcomeOf(going: Promise<unknown>): Promise<CrashPoint | null> {
      let over = false;
      const done = going.finally(() => {
        over = true;
      });
      done.catch(() => {});
      while (!over && struck === null) await new Promise((resolve) => setImmediate(resolve));
      if (struck === null) await done;
      armed = null;
      return struck;
    },
  };
}

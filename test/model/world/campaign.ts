/** Many crashes: sites times moments times blows, each once or again in the restart, counted. */

import { crash, type Struck } from "./crash.ts";
import { everyMoment, type Site } from "./crash-sites.ts";
import type { PlayedStep } from "./paths.ts";
import { told } from "./play.ts";
import { createKiller } from "./sigkill.ts";
import type { House } from "./stage.ts";
import { type Blow, createStriker } from "./striker.ts";

export interface Tally {
  sites: number;
  /** Lives that were struck once. */
  struck: number;
  /** Of these, how often the restart was struck as well. */
  again: number;
  /** Moments found, as `state event write:moment`, with how often each was struck. */
  moments: Map<string, number>;
}

const mostTries = 5;

export const emptyTally = (): Tally => ({ sites: 0, struck: 0, again: 0, moments: new Map() });

export interface Orders {
  blow: Blow;
  /** Whether each restart is struck too, at each of its own moments. */
  twice: boolean;
  /** Whether processes die by SIGKILL instead of falling silent. */
  forReal?: boolean;
  /** Tells one moment from another; only the first of a kind is struck. All are, where it is not said. */
  once?: (site: Site, struck: Struck) => string;
}

/** @throws naming site, blow and moment of the first life that did not go on as it must */
export async function strikeAll(house: House, sites: readonly Site[], orders: Orders, tally: Tally) {
  const known = new Set<string>();
  for (const site of sites) {
    tally.sites += 1;
    await everyMoment((nth) => strikeAt(house, site, nth, orders, tally, known));
  }
}

async function strikeAt(
  house: House,
  site: Site,
  nth: number,
  { blow, twice, forReal = false, once }: Orders,
  tally: Tally,
  known: Set<string>,
): Promise<Struck> {
  const found = await one(0);
  if (found.point === null) return found;
  const kind = once?.(site, found) ?? `${tally.struck}`;
  if (known.has(kind)) return found;
  known.add(kind);
  count(tally, site, found);
  if (forReal) await really(found);
  for (let again = 1; twice; again += 1) {
    const struck = await one(again);
    if (struck.again === null) break;
    tally.again += 1;
  }
  return found;

  async function one(nthAgain: number): Promise<Struck> {
    return naming(site, blow, nth, nthAgain, () =>
      crash(house, { ...site, blow, nth, nthAgain }, createStriker()),
    );
  }

  /** Which of several workers comes first is not always the same one; then whoever it is may die. */
  async function really({ point, place }: Struck): Promise<void> {
    if (point === null || place === null) return;
    for (let tries = 0; tries < mostTries; tries += 1) {
      const killer = createKiller({ place, point, whoever: tries > 0 });
      const killed = await naming(site, blow, nth, 0, () =>
        crash(house, { ...site, blow, nth, nthAgain: 0 }, killer).finally(killer.end),
      );
      if (killed.point !== null) return;
    }
    throw new Error(`${siteName(site)}: no process died at ${point}`);
  }
}

function count(tally: Tally, site: Site, { point }: Struck) {
  tally.struck += 1;
  const moment = `${siteName(site)} ${point}`;
  tally.moments.set(moment, (tally.moments.get(moment) ?? 0) + 1);
}

/** The state's path and the event: `streaming upstream.completed`; `claim` for the claim. */
export function siteName({ step }: Site): string {
  return step === null ? "claim" : `${leaf(step)} ${step.event.type}`;
}

function leaf({ before: { value } }: PlayedStep): string {
  return typeof value === "string" ? value : `claimed.${value.claimed}`;
}

async function naming<T>(site: Site, blow: Blow, nth: number, again: number, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    const way = site.step === null ? "the claim" : told([...site.before, site.step]);
    throw new Error(`${blow} at moment ${nth}, again at ${again}, on ${way}: ${String(error)}`, {
      cause: error,
    });
  }
}

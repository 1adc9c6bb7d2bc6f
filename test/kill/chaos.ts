/** Kills and pauses workers at random moments, so that leases are taken over from the dead and from the living. */
import { setTimeout as delay } from "node:timers/promises";
import type { Crew } from "./crew.ts";
import type { Dice } from "./dice.ts";
import type { Worker } from "./worker.ts";

const longestCalmMs = 260;
/** So many workers at least are left alone. */
const leastAwake = 2;

export interface Harm {
  kills: number;
  pauses: number;
}

interface Chaos {
  readonly harm: Harm;
  /** Ends it with every worker awake. */
  stop(): Promise<void>;
}

export function startChaos(crew: Crew, dice: Dice, leaseMs: number): Chaos {
  const harm: Harm = { kills: 0, pauses: 0 };
  const over = new AbortController();
  const underWay = new Set<Promise<void>>();
  const rampage = run();
  return {
    harm,
    async stop() {
      over.abort();
      await rampage;
      await Promise.all(underWay);
    },
  };

  async function run() {
    while (!over.signal.aborted) {
      await rest(dice.below(longestCalmMs));
      const awake = crew.workers.filter((worker) => !worker.paused && !worker.dead);
      const victim = awake[Math.floor(dice.below(awake.length))];
      if (victim && awake.length > leastAwake) track(dice.below(1) < 0.3 ? kill(victim) : pause(victim));
    }
  }

  function track(work: Promise<void>) {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  async function kill(worker: Worker) {
    harm.kills += 1;
    await crew.replace(worker);
  }

  /** For longer than a lease: about as long as it takes others to notice, and some more. */
  async function pause(worker: Worker) {
    harm.pauses += 1;
    worker.pause();
    await rest(leaseMs * 1.2 + dice.below(leaseMs * 3));
    if (dice.below(1) < 0.15 && !over.signal.aborted) return kill(worker);
    worker.goOn();
  }

  async function rest(ms: number) {
    await delay(ms, undefined, { signal: over.signal }).catch(() => undefined);
  }
}

/**
 * Callers in many lanes: they open sessions and continue them, ask one id at several workers, leave, cancel, give
 * up, name a response found upstream, and come back until each request is settled.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { finalStates } from "../../machines/states.ts";
import type { Crew } from "./crew.ts";
import { createDice, type Dice } from "./dice.ts";
import type { Told, Wish } from "./orders.ts";

const lanes = 10;
const mostTurns = 3;

export interface Called {
  /** What each request's caller was told last. */
  told: Map<string, Told>;
  cancelled: Set<string>;
  abandoned: Set<string>;
  /** Errors that no caller here has given cause for. */
  surprises: string[];
}

interface Plan {
  crew: Crew;
  seed: number;
  requests: number;
  budgetMs: number;
  /** How often one request is come back for. */
  patience: number;
  /** The response that upstream has for a request, as a person would look it up. */
  lookUp(requestId: string): string | undefined;
}

export const messageOf = (requestId: string) =>
  `question ${requestId} in words enough that its answer takes its time to arrive`;

export async function callThemAll(plan: Plan): Promise<Called> {
  const called: Called = { told: new Map(), cancelled: new Set(), abandoned: new Set(), surprises: [] };
  let taken = 0;
  const next = () => (taken++ < plan.requests ? randomUUID() : null);
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) => live(plan, called, createDice(plan.seed + lane), next)),
  );
  return called;
}

/** An owner that was paused may still bring the answer of what was left as unknown: everybody asks once more. */
export async function askOnceMore({ crew, budgetMs }: Plan, { told }: Called): Promise<void> {
  const open = [...told].filter(([, last]) => !isFinal(last));
  for (const [place, [requestId]] of open.entries())
    told.set(requestId, await crew.tell({ kind: "wait", requestId, budgetMs }, place));
}

async function live(plan: Plan, called: Called, dice: Dice, next: () => string | null) {
  let id = next();
  while (id !== null) {
    let sessionId: string | undefined;
    for (let turns = 1 + Math.floor(dice.below(mostTurns)); turns > 0 && id !== null; turns -= 1) {
      const told = await createCaller(plan, called, dice, id).settle(sessionId);
      called.told.set(id, told);
      id = next();
      if (told.error || !isFinal(told)) break;
      sessionId = told.sessionId;
    }
  }
}

function createCaller(plan: Plan, called: Called, dice: Dice, id: string) {
  const { budgetMs } = plan;
  const tell = (wish: Wish) => plan.crew.tell(wish, Math.floor(dice.below(1_000)));

  async function settle(sessionId: string | undefined): Promise<Told> {
    const call: Wish = {
      kind: "ask",
      requestId: id,
      budgetMs,
      message: messageOf(id),
      ...(sessionId !== undefined && { sessionId }),
    };
    const whim = dice.below(1);
    const first = tell(whim < 0.2 ? { ...call, leaveAfterMs: Math.ceil(dice.below(120)) } : call);
    if (whim > 0.85) await cancelSoon();
    else if (whim > 0.6) await Promise.all([tell(call), tell(call)].map(expected));
    const told = await comeBack(await expected(first));
    return told.status === "unknown_outcome" ? decide(told) : told;
  }

  async function cancelSoon() {
    await delay(dice.below(150));
    called.cancelled.add(id);
    await tell({ kind: "cancel", requestId: id, budgetMs });
  }

  /** Some who left give up what hangs in the air instead of collecting it. */
  async function comeBack(first: Told): Promise<Told> {
    let told = first;
    for (let times = 0; !isOver(told) && times < plan.patience; times += 1) {
      if (dice.below(1) < 0.1) await abandon();
      told = await expected(tell({ kind: "wait", requestId: id, budgetMs }));
    }
    return told;
  }

  async function abandon() {
    const told = await tell({ kind: "abandon", requestId: id });
    if (!told.error) called.abandoned.add(id);
    return told;
  }

  /** A third is left as it is, the others are given up or found upstream. */
  async function decide(told: Told): Promise<Told> {
    const responseId = plan.lookUp(id);
    const whim = dice.below(3);
    if (whim < 1) return told;
    if (whim < 2 || responseId === undefined) await abandon();
    else await tell({ kind: "attach", requestId: id, responseId, budgetMs });
    return comeBack(await expected(tell({ kind: "wait", requestId: id, budgetMs })));
  }

  async function expected(reply: Promise<Told>): Promise<Told> {
    const told = await reply;
    if (told.error) called.surprises.push(`${id} was answered with ${told.status}`);
    return told;
  }

  return { settle };
}

const isFinal = ({ status }: Told) => finalStates.some((state) => state === status);
const isOver = (told: Told) => told.error || isFinal(told) || told.status === "unknown_outcome";

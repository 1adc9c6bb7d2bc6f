/** Requests added up: by day, session, tool, model, or each for itself. */
import { type Cost, costOf, decimal, type Unknown } from "./cost.ts";
import type { Prices } from "./prices.ts";
import { added, noTokens, type Tokens, tokensOf } from "./tokens.ts";

export const groupings = ["day", "session", "tool", "model", "request"] as const;
export type Grouping = (typeof groupings)[number];

/** All that the ledger knows of one request. */
export interface Entry {
  requestId: string;
  sessionId: string;
  tool: string;
  provider: string;
  /** As upstream named it, else as it was asked for. */
  model: string;
  serviceTier: string | null;
  usage: Readonly<Record<string, unknown>> | null;
  /** How often its answer was given again without a call. */
  replays: number;
  /** Whether contact was lost, and the answer was collected all the same. */
  recovered: boolean;
  /** Wall time in ms. */
  createdAt: number;
}

export interface Sum {
  /** What they have in common: a date, an id or a name. */
  key: string;
  requests: number;
  tokens: Tokens;
  /** Requests without counts that are known here; their tokens are in no sum. */
  uncounted: number;
  replays: number;
  recoveries: number;
  /** Undefined without a price file. */
  cost?: SummedCost;
}

export interface SummedCost {
  currency: string;
  /** Of those requests whose cost is known; null where none is. */
  amount: string | null;
  /** How many have no known cost, by why. */
  unknown: Partial<Record<Unknown, number>>;
}

/**
 * One sum a group, in the order in which groups come first, and one of all.
 *
 * @param prices null where the user gave none: then there is no word of cost
 */
export function summedUp(
  entries: readonly Entry[],
  by: Grouping,
  prices: Prices | null,
): { groups: Sum[]; total: Sum } {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry, by);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return {
    groups: [...groups].map(([key, members]) => sumOf(key, members, prices)),
    total: sumOf("all", entries, prices),
  };
}

function keyOf({ createdAt, sessionId, tool, model, requestId }: Entry, by: Grouping): string {
  switch (by) {
    case "day":
      return new Date(createdAt).toISOString().slice(0, "2026-11-30".length);
    case "session":
      return sessionId;
    case "tool":
      return tool;
    case "model":
      return model;
    case "request":
      return requestId;
  }
}

function sumOf(key: string, entries: readonly Entry[], prices: Prices | null): Sum {
  const counted = entries.map(({ usage }) => tokensOf(usage));
  return {
    key,
    requests: entries.length,
    tokens: counted.reduce<Tokens>((sum, tokens) => (tokens === null ? sum : added(sum, tokens)), noTokens),
    uncounted: counted.filter((tokens) => tokens === null).length,
    replays: entries.reduce((sum, { replays }) => sum + replays, 0),
    recoveries: entries.filter(({ recovered }) => recovered).length,
    ...(prices !== null && { cost: summedCost(entries, prices) }),
  };
}

function summedCost(entries: readonly Entry[], prices: Prices): SummedCost {
  const costs = entries.map((entry): Cost => costOf(entry, prices));
  const known = costs.flatMap((cost) => ("known" in cost ? [cost.known] : []));
  const unknown: SummedCost["unknown"] = {};
  for (const cost of costs) if ("unknown" in cost) unknown[cost.unknown] = (unknown[cost.unknown] ?? 0) + 1;
  return {
    currency: prices.currency,
    amount: known.length === 0 ? null : decimal(known.reduce((sum, amount) => sum + amount, 0n)),
    unknown,
  };
}

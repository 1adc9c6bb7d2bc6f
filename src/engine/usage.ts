/** What was used, and what that cost: the ledger of this database, added up as a caller wants it. */
import type { SumView, UsageView } from "../contract/views.ts";
import type { Prices } from "../ledger/prices.ts";
import { type Entry, type Grouping, type Sum, summedUp } from "../ledger/summary.ts";
import type { LedgerQuery, Store } from "../store/store.ts";

/** Rows read in one step, so that others can write in between. */
const batch = 1_000;

export interface UsageQuery extends Omit<LedgerQuery, "after" | "limit"> {
  by: Grouping;
}

/** @param prices null where the user gave none */
export async function usageOf(
  store: Store,
  { by, ...query }: UsageQuery,
  prices: Prices | null,
): Promise<UsageView> {
  const entries: Entry[] = [];
  for await (const row of rowsOf(store, query)) entries.push(row);
  const { groups, total } = summedUp(entries, by, prices);
  return { by, groups: groups.map(sumView), total: sumView(total) };
}

async function* rowsOf(store: Store, query: Omit<LedgerQuery, "after" | "limit">): AsyncGenerator<Entry> {
  let after: LedgerQuery["after"];
  for (;;) {
    const rows = await store.ledger({ ...query, limit: batch, ...(after && { after }) });
    for (const { id, ...row } of rows) yield { ...row, requestId: id };
    const last = rows.at(-1);
    if (last === undefined || rows.length < batch) return;
    after = { createdAt: last.createdAt, id: last.id };
  }
}

function sumView({ key, requests, tokens, uncounted, replays, recoveries, cost }: Sum): SumView {
  return {
    key,
    requests,
    input_tokens: tokens.input,
    cached_input_tokens: tokens.cachedInput,
    cache_write_tokens: tokens.cacheWrite,
    output_tokens: tokens.output,
    reasoning_tokens: tokens.reasoning,
    ...(uncounted > 0 && { uncounted_requests: uncounted }),
    not_paid_twice: { replays, recoveries },
    ...(cost && {
      cost: {
        currency: cost.currency,
        amount: cost.amount ?? "unknown",
        ...(Object.keys(cost.unknown).length > 0 && { unknown_requests: cost.unknown }),
      },
    }),
  };
}

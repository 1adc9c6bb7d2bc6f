/** Turning a record into a reply. An answer counts as delivered when it was part of a reply somebody still wanted. */
import { isFinal } from "../../machines/snapshots.ts";
import type { Policy } from "../contract/policy.ts";
import type { RequestView } from "../contract/views.ts";
import type { Prices } from "../ledger/prices.ts";
import type { Provider } from "../providers/provider.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { type Collector, providerOf } from "./collector.ts";
import type { Waiter } from "./engine.ts";
import { requestView } from "./view.ts";
import type { Desk } from "./work.ts";

interface Parts {
  store: Store;
  providers: ReadonlyMap<string, Provider>;
  collector: Collector;
  desk: Desk;
  clock: Clock;
  policy: Policy;
  prices: Prices | null;
}

/** Longest that marking an answer as read may hold it back. */
const markMs = 250;

interface Extras {
  joined?: boolean;
  replayed?: boolean;
}

export interface Deliver {
  /** The record with its answer from `offset` on, counted as delivered. */
  answer(record: RequestRecord, waiter: Waiter, offset: number, extras?: Extras): Promise<RequestView>;
  /** The record without its answer; delivers nothing. */
  receipt(record: RequestRecord): Promise<RequestView>;
}

export function createDeliver({ store, providers, collector, desk, clock, policy, prices }: Parts): Deliver {
  const options = async (record: RequestRecord) => ({
    ...(await questionFor(record)),
    pageChars: policy.pageChars,
    prices,
    now: clock.now(),
    recovering: collector.isCollecting(record.id) && record.state === "recovery_required",
    endpointDiffers: providerOf(providers, record) === null,
  });

  return {
    receipt: async (record) =>
      requestView(record, { ...(await options(record)), outcome: null, offset: null }),

    async answer(record, waiter, offset, extras = {}) {
      const done = isFinal(record.state);
      const outcome = done && record.prunedAt === null ? await store.result(record.id) : null;
      const view = requestView(record, { ...(await options(record)), ...extras, outcome, offset });
      const wanted = waiter.signal?.aborted !== true;
      if (done && wanted && record.deliveredAt === null) await mark(record);
      return view;
    },
  };

  /** Looked up only where something can be kept: a provider that is not here cannot be asked what it keeps. */
  async function questionFor(record: RequestRecord) {
    const chaining = providers.get(record.provider)?.capabilities.chaining ?? true;
    return chaining ? {} : { question: await store.question(record.id) };
  }

  /**
   * The answer is in hand, and a busy or full disk must not keep it from whoever asked. An answer that could not be
   * marked is shown as unread once more, and an equal call joins it instead of paying again.
   */
  async function mark({ id }: RequestRecord) {
    const marked = new AbortController();
    desk.track(store.markDelivered(id, clock.now()).finally(() => marked.abort()));
    await clock.sleep(markMs, marked.signal);
  }
}

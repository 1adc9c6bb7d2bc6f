/** Turning a record into a reply. An answer counts as delivered when it was part of a reply somebody still wanted. */
import { isFinal } from "../../machines/snapshots.ts";
import type { Policy } from "../contract/policy.ts";
import type { RequestView } from "../contract/views.ts";
import type { Provider } from "../providers/provider.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { type Collector, providerOf } from "./collector.ts";
import type { Waiter } from "./engine.ts";
import { requestView } from "./view.ts";

interface Parts {
  store: Store;
  providers: ReadonlyMap<string, Provider>;
  collector: Collector;
  clock: Clock;
  policy: Policy;
}

interface Extras {
  joined?: boolean;
  replayed?: boolean;
}

export interface Deliver {
  /** The record with its answer from `offset` on, counted as delivered. */
  answer(record: RequestRecord, waiter: Waiter, offset: number, extras?: Extras): Promise<RequestView>;
  /** The record without its answer; delivers nothing. */
  receipt(record: RequestRecord): RequestView;
}

export function createDeliver({ store, providers, collector, clock, policy }: Parts): Deliver {
  const options = (record: RequestRecord) => ({
    pageChars: policy.pageChars,
    now: clock.now(),
    recovering: collector.isCollecting(record.id) && record.state === "recovery_required",
    endpointDiffers: providerOf(providers, record) === null,
  });

  return {
    receipt: (record) => requestView(record, { ...options(record), outcome: null, offset: null }),

    async answer(record, waiter, offset, extras = {}) {
      const done = isFinal(record.state);
      const outcome = done && record.prunedAt === null ? await store.result(record.id) : null;
      const view = requestView(record, { ...options(record), ...extras, outcome, offset });
      const wanted = waiter.signal?.aborted !== true;
      if (done && wanted && record.deliveredAt === null) await store.markDelivered(record.id, clock.now());
      return view;
    },
  };
}

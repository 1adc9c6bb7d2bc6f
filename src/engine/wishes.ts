/** What callers may wish of a request that exists: recover, cancel, abandon, attach. */
import type { Unstamped } from "../../machines/events.ts";
import { isFinal } from "../../machines/snapshots.ts";
import { ClaimcheckError } from "../contract/errors.ts";
import { type Policy, policyKnobs } from "../contract/policy.ts";
import type { Provider, Retrieval } from "../providers/provider.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { type Collector, eventOf, providerOf } from "./collector.ts";
import type { Waiter } from "./engine.ts";
import { notAllowed, refusedAbandon, unknownRequest } from "./refusals.ts";
import { snapshotOf } from "./snapshot.ts";
import type { Act } from "./streams.ts";
import { createPulse, type Wait } from "./waiting.ts";

/** Upstream usually answers a cancel at once; a caller is not held longer than this for it. */
const cancelPatienceMs = 5_000;

interface Parts {
  store: Store;
  providers: ReadonlyMap<string, Provider>;
  collector: Collector;
  act: Act;
  wait: Wait;
  clock: Clock;
  policy: Policy;
}

export interface Wishes {
  recover(record: RequestRecord, waiter: Waiter): Promise<RequestRecord>;
  cancel(record: RequestRecord, waiter: Waiter): Promise<RequestRecord>;
  abandon(record: RequestRecord): Promise<RequestRecord>;
  attach(record: RequestRecord, responseId: string, waiter: Waiter): Promise<RequestRecord>;
  answer(record: RequestRecord, text: string): Promise<RequestRecord>;
}

export function createWishes({ store, providers, collector, act, wait, clock, policy }: Parts): Wishes {
  async function recover(record: RequestRecord, waiter: Waiter) {
    if (providerOf(providers, record)?.person !== undefined && !isFinal(record.state)) return record;
    if (record.state === "unknown_outcome") {
      throw notAllowed(
        record,
        "Its outcome cannot be asked for: abandon it, or attach the response if you find it upstream.",
      );
    }
    collector.ensure(record);
    collector.hurry(record.id);
    return wait(record, waiter);
  }

  async function cancel(record: RequestRecord, waiter: Waiter) {
    if (isFinal(record.state)) return record;
    if (record.state === "unknown_outcome") {
      throw notAllowed(
        record,
        "There is nothing to cancel that could be named upstream: abandon it, or attach its response first.",
      );
    }
    const sent = await act(record.id, { type: "caller.cancelled" });
    if (sent.kind === "gone") throw unknownRequest(record.id);
    return sent.kind === "moved" ? cancelAnswered(sent.record, waiter) : sent.record;
  }

  /** Waits until upstream took the wish, or did not. */
  async function cancelAnswered(first: RequestRecord, waiter: Waiter) {
    const until = clock.monotonic() + Math.min(waiter.budgetMs, cancelPatienceMs);
    const pulse = createPulse([store], waiter.signal);
    let record = first;
    try {
      while (!isFinal(record.state) && clock.monotonic() < until && !waiter.signal?.aborted) {
        if (askedInVain(first, record)) throw cancelFailed(record);
        await pulse.within(clock, Math.min(250, until - clock.monotonic()));
        record = (await store.load(record.id)) ?? record;
      }
      if (askedInVain(first, record)) throw cancelFailed(record);
      return record;
    } finally {
      pulse.stop();
    }
  }

  async function abandon(record: RequestRecord) {
    if (record.state === "abandoned") return record;
    const refusal = refusedAbandon(record);
    if (refusal) throw refusal;
    const sent = await act(record.id, { type: "caller.abandoned" });
    if (sent.kind === "gone") throw unknownRequest(record.id);
    if (sent.record.state !== "abandoned") return abandon(sent.record);
    collector.ensure(sent.record);
    return sent.record;
  }

  async function attach(record: RequestRecord, responseId: string, waiter: Waiter) {
    if (record.state !== "unknown_outcome") {
      throw notAllowed(record, "Only a request whose outcome is unknown can be given a response id.");
    }
    const provider = providerOf(providers, record);
    if (provider === null) throw endpointDiffers(record);
    const found = await inTime(waiter, (signal) => provider.retrieve(responseId, signal));
    const sent = await act(record.id, attachment(responseId, found));
    if (sent.kind === "response_taken") throw responseTaken(responseId, sent.by);
    if (sent.kind === "gone") throw unknownRequest(record.id);
    if (sent.kind !== "moved") return attach(sent.record, responseId, waiter);
    if ("outcome" in found) await act(record.id, eventOf(found), sent.record);
    return wait((await store.load(record.id)) ?? sent.record, waiter);
  }

  /** A crash between claim and prompt leaves a person's request unknown; what they say is evidence all the same. */
  async function answer(record: RequestRecord, text: string) {
    const person = providerOf(providers, record)?.person;
    if (person === undefined)
      throw notAllowed(
        record,
        "No person is asked for it: only requests to the manual provider can be answered.",
      );
    checkAnswer(text, policy.maxResultBytes);
    const outcome = person.answerOf(record.responseId ?? record.id, text);
    const sent = await act(record.id, { type: "upstream.completed", outcome });
    if (sent.kind === "gone") throw unknownRequest(record.id);
    if (sent.kind !== "moved") throw notAllowed(sent.record, "It is settled; what it has is kept.");
    return sent.record;
  }

  /** Upstream is asked for no longer than the caller waits. */
  async function inTime<T>(waiter: Waiter, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const done = new AbortController();
    const giveUp = () => over.abort();
    waiter.signal?.addEventListener("abort", giveUp);
    void clock.sleep(waiter.budgetMs, done.signal).then(giveUp);
    try {
      return await work(over.signal);
    } finally {
      done.abort("done");
      waiter.signal?.removeEventListener("abort", giveUp);
    }
  }

  return { recover, cancel, abandon, attach, answer };
}

/** Refused and not cut: nothing was paid for it, and whoever brings it can shorten it. */
function checkAnswer(text: string, maxResultBytes: number): void {
  if (text.trim() === "")
    throw new ClaimcheckError("invalid_arguments", "The answer is empty; nothing was changed.", {
      details: { fields: ["answer"] },
    });
  const [bytes, max] = [Buffer.byteLength(text), Math.floor(maxResultBytes / 2)];
  if (bytes <= max) return;
  const variable = policyKnobs.maxResultBytes.env;
  throw new ClaimcheckError(
    "input_too_large",
    `The answer has ${bytes} bytes, the limit is ${max}, half of ${variable}. Shorten it; nothing was changed.`,
    { details: { fields: ["answer"], bytes, max, variable } },
  );
}

/** The asking failed: the wish is remembered but due again. */
function askedInVain(first: RequestRecord, record: RequestRecord): boolean {
  const asking = (of: RequestRecord) => snapshotOf(of).context.cancel?.asking;
  return asking(first) === "asked" && asking(record) === "due" && !isFinal(record.state);
}

function attachment(responseId: string, found: Retrieval): Unstamped {
  switch (found.type) {
    case "retrieval.missing":
      throw new ClaimcheckError(
        "response_not_found",
        `Upstream has no response ${responseId} for this key. Check the id; nothing was changed.`,
      );
    case "retrieval.faulted":
      throw new ClaimcheckError(
        "upstream_unreachable",
        "Upstream could not be asked about this response just now; nothing was changed. Try attach again.",
        { details: { ...found.failure } },
      );
    case "retrieval.pending":
      return { type: "caller.attached", responseId, model: found.model, echo: found.echo };
    default:
      return { type: "caller.attached", responseId, model: found.outcome.model, echo: found.outcome.echo };
  }
}

function cancelFailed(record: RequestRecord): ClaimcheckError {
  return new ClaimcheckError(
    "upstream_unreachable",
    `Upstream did not take the cancellation of ${record.id}; the wish is remembered and the request goes on. Ask again with request_status {"action":"cancel","request_id":"${record.id}"}.`,
    { details: { request_id: record.id, session_id: record.sessionId, state: record.state } },
  );
}

function endpointDiffers(record: RequestRecord): ClaimcheckError {
  return new ClaimcheckError(
    "endpoint_differs",
    `Request ${record.id} was made with another endpoint or key. Start claimcheck with that one and try again.`,
    { details: { request_id: record.id } },
  );
}

function responseTaken(responseId: string, by: string): ClaimcheckError {
  return new ClaimcheckError(
    "response_taken",
    `Response ${responseId} already belongs to request ${by}; one response answers one request. Read it there.`,
    { details: { request_id: by } },
  );
}

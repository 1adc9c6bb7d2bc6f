/** Puts the engine together. Every part is given what it needs; nothing is imported for its state. */
import { ClaimcheckError } from "../contract/errors.ts";
import { type Policy, policyOf } from "../contract/policy.ts";
import type { TranscriptPolicy } from "../contract/transcripts.ts";
import type { Prices } from "../ledger/prices.ts";
import type { Provider } from "../providers/provider.ts";
import type { RequestRecord, Store } from "../store/store.ts";
import { createAct } from "./act.ts";
import { createBackground } from "./background.ts";
import { createClaims } from "./claims.ts";
import { type Clock, systemClock } from "./clock.ts";
import { createCollector, providerOf } from "./collector.ts";
import { createDeliver } from "./deliver.ts";
import { sealOf } from "./digests.ts";
import { createDoor } from "./door.ts";
import type { Ask, Engine, Waiter } from "./engine.ts";
import { type Identity, processIdentity } from "./identity.ts";
import { createLeases } from "./leases.ts";
import { createLists } from "./lists.ts";
import { type Log, silentLog } from "./log.ts";
import { createPerformer } from "./perform.ts";
import { unknownRequest, unknownSession } from "./refusals.ts";
import { createSessions } from "./sessions.ts";
import type { EngineDefaults } from "./settings.ts";
import { createStreams, secondEventMs } from "./streams.ts";
import { usageOf } from "./usage.ts";
import { journalView } from "./view.ts";
import { createWait } from "./waiting.ts";
import { createWishes } from "./wishes.ts";
import { createDesk, newJob } from "./work.ts";

export interface EngineParts {
  /** Open; the engine never closes it. */
  store: Store;
  /** By name. A provider that is not here cannot be asked, and requests it made wait. */
  providers: ReadonlyMap<string, Provider>;
  defaults: EngineDefaults;
  policy?: Partial<Policy>;
  /** Whether questions are kept where upstream keeps no conversation; by default they are, and only there. */
  transcripts?: TranscriptPolicy;
  /** What tokens cost; without it there is no word of cost. */
  prices?: Prices | null;
  clock?: Clock;
  identity?: Identity;
  log?: Log;
}

/**
 * The lifecycle engine over one store. Leases of what it claims are renewed from now on; `start()` begins the
 * rest of its background work, `close()` ends it.
 */
export function createEngine(options: EngineParts): Engine {
  const {
    store,
    providers,
    defaults,
    transcripts = "auto",
    prices = null,
    clock = systemClock,
    identity = processIdentity(),
    log = silentLog,
  } = options;
  const policy = policyOf(options.policy);
  const desk = createDesk((error) => log.failure("background work", error));
  const isPersons = (record: RequestRecord) => providerOf(providers, record)?.person !== undefined;
  const door = createDoor({ store, clock, identity, leaseMs: policy.leaseMs, isPersons });
  const act = createAct({ door, store, desk, clock, identity, perform: (...step) => perform(...step) });
  const streams = createStreams({ act, desk, clock, log });
  const collector = createCollector({ store, providers, streams, act, desk, clock, identity, policy });
  const perform = createPerformer({ providers, streams, collector, act, desk, clock, identity });
  const leases = createLeases({ store, streams, act, desk, clock, identity, leaseMs: policy.leaseMs });
  const wait = createWait({ store, providers, collector, leases, desk, clock });
  const claim = createClaims({ store, providers, leases, clock, identity, policy, defaults, transcripts });
  const deliver = createDeliver({ store, providers, collector, desk, clock, policy, prices });
  const wishes = createWishes({ store, providers, collector, act, wait, clock, policy });
  const lists = createLists({ store, leases });
  const sessions = createSessions({ store, leases, clock, policy, prices });
  const background = createBackground({ store, leases, collector, desk, clock, identity, policy });
  let closing = false;
  background.keepLeases();

  async function ask(asked: Ask, waiter: Waiter) {
    if (closing) throw shuttingDown();
    const until = clock.monotonic() + waiter.budgetMs;
    const claimed = await claim(asked, waiter);
    if (claimed.kind === "claimed") {
      desk.jobs.set(claimed.record.id, newJob(claimed.record, claimed.call));
      perform(claimed.record, [{ type: "openStream" }]);
      waiter.onClaimed?.();
    }
    const record = await wait(claimed.record, { ...waiter, budgetMs: until - clock.monotonic() });
    const view = await deliver.answer(record, waiter, 0, {
      joined: claimed.kind === "joined",
      replayed: claimed.kind === "replayed",
    });
    if (claimed.kind !== "claimed") desk.track(store.countReplay(record.id));
    return view;
  }

  /** The record, after its owner was looked at: a dead one's work is taken over first. */
  async function find(id: string): Promise<RequestRecord> {
    const record = await store.load(id);
    if (record === null) throw unknownRequest(id);
    await leases.observe(record);
    return (await store.load(id)) ?? record;
  }

  const read = async (id: string, offset: number, waiter: Waiter) =>
    deliver.answer(await wait(await find(id), waiter), waiter, offset);

  /** Who gave it up has been told: an equal call afterwards is a new question, not a second telling. */
  async function abandon(id: string) {
    const record = await wishes.abandon(await find(id));
    await store.markDelivered(record.id, clock.now());
    return deliver.receipt(record);
  }

  async function sessionId(idOrName: string): Promise<string> {
    const session = await store.session(idOrName);
    if (session === null) throw unknownSession();
    return session.id;
  }

  async function close(graceMs = secondEventMs) {
    closing = true;
    background.stop();
    collector.stop();
    for (const job of desk.jobs.values()) desk.track(streams.end(job, "shutdown", graceMs));
    const late = new AbortController();
    await Promise.race([desk.idle().finally(() => late.abort()), clock.sleep(graceMs + 250, late.signal)]);
  }

  return {
    ...sessions,
    ask,
    read,
    wait: (id, waiter) => read(id, 0, waiter),
    inspect: async (id) => deliver.receipt(await find(id)),
    recover: async (id, waiter) => deliver.answer(await wishes.recover(await find(id), waiter), waiter, 0),
    cancel: async (id, waiter) => deliver.receipt(await wishes.cancel(await find(id), waiter)),
    abandon,
    attach: async (id, responseId, waiter) =>
      deliver.answer(await wishes.attach(await find(id), responseId, waiter), waiter, 0),
    answer: async (id, text) => deliver.receipt(await wishes.answer(await find(id), text)),
    inbox: async ({ sessionId: ref, limit }) =>
      lists.inbox({ limit, ...(ref !== undefined && { sessionId: await sessionId(ref) }) }),
    history: async ({ sessionId: ref, ...page }) =>
      lists.history({ ...page, sessionId: await sessionId(ref) }),
    requests: lists.requests,
    async journal(id) {
      if ((await store.load(id)) === null) throw unknownRequest(id);
      return (await store.journal(id)).map(journalView);
    },
    usage: async ({ sessionId: ref, ...query }) =>
      usageOf(store, { ...query, ...(ref !== undefined && { sessionId: await sessionId(ref) }) }, prices),
    seal: (words) => sealOf(store.digestKey, words),
    watch: store.watch,
    start: background.lookAfterOthers,
    close,
  };
}

function shuttingDown(): ClaimcheckError {
  return new ClaimcheckError(
    "shutting_down",
    "claimcheck is shutting down; nothing was sent. Call again after the restart.",
  );
}

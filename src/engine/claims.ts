/**
 * From a caller's ask to a request in the store: replay, join, or claim. The claim is the intent to send; it is
 * on disk before anything leaves. A refused claim leaves no row.
 */
import { randomUUID } from "node:crypto";
import { begin } from "../../machines/decide.ts";
import { type RequestInput, readLagMs } from "../../machines/request.ts";
import { machineVersion, persist, stateOf } from "../../machines/snapshots.ts";
import { ClaimcheckError } from "../contract/errors.ts";
import type { Policy } from "../contract/policy.ts";
import type { EffectiveSettings } from "../contract/settings.ts";
import type { TranscriptPolicy } from "../contract/transcripts.ts";
import type { PaidCall, Provider } from "../providers/provider.ts";
import type {
  Claim,
  ClaimOutcome,
  Likeness,
  Question,
  RequestRecord,
  SessionOverview,
  Store,
} from "../store/store.ts";
import type { Clock } from "./clock.ts";
import { conversationBytes, conversationOf } from "./conversation.ts";
import { digestArguments } from "./digests.ts";
import type { Ask, Composed, Waiter } from "./engine.ts";
import type { Identity } from "./identity.ts";
import type { Leases } from "./leases.ts";
import { refusedClaim } from "./refusals.ts";
import {
  checkInputSize,
  defaultsFor,
  type EngineDefaults,
  effectiveSettings,
  withoutUndefined,
} from "./settings.ts";
import { createPulse } from "./waiting.ts";

/** Hosts re-issue calls they lost; within this long an equal call is taken for the same one. */
export const joinWindowMs = 600_000;
/** A young predecessor that cannot be found is worth this long, in all. */
const predecessorRetryMs = 30_000;
/** A call that does not want to wait at all still gives a busy database this long: others write for moments. */
const leastPatienceMs = 1_000;
/** More attempts than any deadline leaves room for; a bound, not a policy. */
const maxAttempts = 64;

export type Claimed =
  | { kind: "claimed"; record: RequestRecord; call: PaidCall }
  | { kind: "replayed" | "joined"; record: RequestRecord };

interface Parts {
  store: Store;
  providers: ReadonlyMap<string, Provider>;
  leases: Leases;
  clock: Clock;
  identity: Identity;
  policy: Policy;
  defaults: EngineDefaults;
  transcripts: TranscriptPolicy;
}

/** A claim but for how long its caller will wait for the database. */
type Planned = Omit<Claim, "patienceMs">;

/** @throws {ClaimcheckError} naming what is in the way and what to do; nothing was written or sent then */
export type ClaimRequest = (ask: Ask, waiter: Waiter) => Promise<Claimed>;

export function createClaims(parts: Parts): ClaimRequest {
  const { store, leases, clock, policy } = parts;

  return async function claim(ask, waiter) {
    const likeness = likenessOf(ask);
    const earlier = await store.match(likeness);
    if (earlier) return known(earlier, likeness);
    const started = clock.monotonic();
    const leftMs = () => waiter.budgetMs - (clock.monotonic() - started);
    const words = "compose" in ask ? await ask.compose() : ask;
    const pulse = createPulse([store], waiter.signal);
    try {
      for (;;) {
        const prepared = await prepare(ask, words, likeness);
        const patienceMs = Math.max(leastPatienceMs, leftMs());
        const outcome = await store.claim({ ...prepared.claim, patienceMs });
        if (outcome.kind === "claimed") return { ...outcome, call: prepared.call };
        if (outcome.kind === "replayed" || outcome.kind === "joined") return known(outcome, likeness);
        if (outcome.kind === "session_moved") continue;
        if (!(await roomMayCome(outcome, leftMs(), pulse)) || waiter.signal?.aborted)
          throw refusedClaim(outcome, likeness.id);
      }
    } finally {
      pulse.stop();
    }
  };

  /** A dead owner may be in the way, or a live one that finishes inside the caller's wait. */
  async function roomMayCome(outcome: ClaimOutcome, leftMs: number, pulse: ReturnType<typeof createPulse>) {
    if (outcome.kind === "blocked") {
      const before = outcome.by.version;
      await leases.observe(outcome.by);
      return (await store.load(outcome.by.id))?.version !== before;
    }
    if (outcome.kind !== "full" || outcome.limit !== "live") return false;
    await leases.sweep();
    if (leftMs <= 0) return (await store.totals()).live < policy.maxLive;
    await pulse.within(clock, Math.min(leftMs, 1_000));
    return true;
  }

  function likenessOf(ask: Ask): Likeness {
    return {
      id: ask.requestId ?? randomUUID(),
      idGiven: ask.requestId !== undefined,
      tool: ask.tool,
      digests: digestArguments(store.digestKey, ask.callerArguments),
      at: clock.now(),
      joinWindowMs,
    };
  }

  async function prepare(
    ask: Ask,
    words: Composed,
    likeness: Likeness,
  ): Promise<{ claim: Planned; call: PaidCall }> {
    const session = await sessionFor(ask);
    const provider = providerFor(parts.providers, ask, session, parts.defaults);
    const settings = settingsFor(ask, session, provider);
    checkSupport(provider, settings);
    const instructions = instructionsFor(words, session);
    const { chaining } = provider.capabilities;
    const transcript = chaining ? [] : await conversationOf(store, session);
    checkInputSize(words.message, instructions, policy.maxInputBytes, conversationBytes(transcript));
    const call: PaidCall = {
      requestId: likeness.id,
      message: words.message,
      instructions,
      previousResponseId: chaining ? (session?.lastResponseId ?? null) : null,
      transcript,
      format: words.format ?? null,
      settings,
    };
    const claim = claimOf(ask, words, likeness, session, provider, settings);
    return { call, claim: { ...claim, question: questionOf(call, provider) } };
  }

  function settingsFor(ask: Ask, session: SessionOverview | null, { name }: Provider) {
    const usual = defaultsFor(name, parts.defaults);
    const defaults = { ...usual, provider: name, model: ask.usualModel ?? usual.model };
    return effectiveSettings(session?.defaults ?? {}, ask.settings, defaults, policy);
  }

  /** A person is always asked by what is kept: without it nobody could show them the question again. */
  function questionOf(call: PaidCall, { capabilities, person }: Provider): Question | null {
    const { message } = call;
    if (person !== undefined) return { message, prompt: person.promptFor(call) };
    return capabilities.chaining || parts.transcripts === "off" ? null : { message, prompt: null };
  }

  async function sessionFor(ask: Ask): Promise<SessionOverview | null> {
    if (ask.sessionId === undefined) return null;
    const session = await store.session(ask.sessionId);
    if (session === null) throw refusedClaim({ kind: "session_unknown" }, "");
    return session;
  }

  function claimOf(
    ask: Ask,
    words: Composed,
    likeness: Likeness,
    session: SessionOverview | null,
    provider: Provider,
    settings: EffectiveSettings,
  ): Omit<Planned, "question"> {
    const at = clock.now();
    const input = inputFor(session, provider, settings, at);
    const { next } = begin(input);
    return {
      ...likeness,
      at,
      session: session
        ? { kind: "existing", id: session.id, version: session.version }
        : {
            kind: "new",
            id: randomUUID(),
            provider: provider.name,
            defaults: withoutUndefined(ask.settings),
            instructions: ask.instructionsFor === "call" ? null : words.instructions || null,
          },
      provider: provider.name,
      endpoint: provider.fingerprint,
      settings,
      machineVersion,
      state: stateOf(next),
      snapshot: persist(next),
      input,
      owner: parts.identity.owner,
      leaseUntil: at + policy.leaseMs,
      process: parts.identity.process,
      eventId: randomUUID(),
      reserveBytes: policy.maxResultBytes,
      limits: {
        // A person is waited for by nobody in particular: no slot is taken, so none is needed.
        live: provider.person === undefined ? policy.maxLive : Number.MAX_SAFE_INTEGER,
        sessions: policy.maxSessions,
        requests: policy.maxRequests,
        contentBytes: policy.maxContentBytes,
      },
    };
  }
}

function inputFor(
  session: SessionOverview | null,
  provider: Provider,
  settings: EffectiveSettings,
  at: number,
): RequestInput {
  const { chaining } = provider.capabilities;
  const young = chaining && session?.lastResponseAt != null && at - session.lastResponseAt < readLagMs;
  return {
    background: settings.background && provider.capabilities.background,
    retrievable: provider.capabilities.retrieve,
    predecessor: chaining ? (session?.lastResponseId ?? null) : null,
    deadlineAt: at + settings.timeout_ms,
    predecessorRetryUntil: young ? at + predecessorRetryMs : 0,
    maxAttempts,
  };
}

/** Stable instructions go with every call; an empty string clears them for this one. */
function instructionsFor(words: Composed, session: SessionOverview | null): string | null {
  return (words.instructions ?? session?.instructions ?? null) || null;
}

function providerFor(
  providers: ReadonlyMap<string, Provider>,
  ask: Ask,
  session: SessionOverview | null,
  defaults: EngineDefaults,
): Provider {
  if (session && ask.provider !== undefined && ask.provider !== session.provider) {
    throw new ClaimcheckError(
      "session_provider",
      `This session belongs to the provider ${session.provider}. Leave out \`provider\` to continue it, or leave out session_id to start a new session with ${ask.provider}.`,
      { details: { fields: ["provider"], session_id: session.id } },
    );
  }
  const name = session?.provider ?? ask.provider ?? defaults.provider;
  const provider = providers.get(name);
  if (provider) return provider;
  throw new ClaimcheckError(
    "provider_unknown",
    `The provider ${JSON.stringify(name)} is not set up here. Use one of: ${[...providers.keys()].join(", ") || "none (set a key and restart)"}.`,
    { details: { fields: ["provider"], valid: [...providers.keys()] } },
  );
}

/** Nothing is silently left out: what a provider has no equivalent of is refused. */
function checkSupport({ name, cannot }: Provider, settings: EffectiveSettings): void {
  const fields = cannot?.(settings) ?? [];
  if (fields.length === 0) return;
  throw new ClaimcheckError(
    "provider_unsupported",
    `The provider ${name} cannot be asked for ${fields.join(" and ")} as given. Leave that out; if the session has it, unset it with sessions configure.`,
    { details: { fields, provider: name } },
  );
}

function known(
  outcome: Extract<ClaimOutcome, { kind: "replayed" | "joined" | "conflict" }>,
  likeness: Likeness,
): Claimed {
  if (outcome.kind === "conflict") throw refusedClaim(outcome, likeness.id);
  return outcome;
}

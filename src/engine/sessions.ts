/** Sessions as callers manage them: metadata only, no instruction text, no answers. */
import type { Policy } from "../contract/policy.ts";
import type { SessionView } from "../contract/views.ts";
import type { Prices } from "../ledger/prices.ts";
import type { SessionChange, SessionOutcome, SessionOverview, Store } from "../store/store.ts";
import type { Clock } from "./clock.ts";
import type { Engine, SessionChanges } from "./engine.ts";
import type { Leases } from "./leases.ts";
import { refusedSessionChange, unknownSession } from "./refusals.ts";
import { checkDefaults, checkInputSize, withoutUndefined } from "./settings.ts";
import { usageOf } from "./usage.ts";
import { sessionView } from "./view.ts";

type SessionMethods = Pick<Engine, "sessions" | "session" | "configureSession" | "deleteSession">;

interface Parts {
  store: Store;
  leases: Leases;
  clock: Clock;
  policy: Policy;
  prices: Prices | null;
}

export function createSessions({ store, leases, clock, policy, prices }: Parts): SessionMethods {
  return {
    async sessions({ limit, after }) {
      const rows = await store.sessions({ after: after ?? null, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        sessions: page.map(sessionView),
        ...(rows.length > page.length && last && { next_cursor: last.id }),
      };
    },

    async session(idOrName) {
      const session = await find(idOrName);
      const { total } = await usageOf(store, { by: "session", sessionId: session.id }, prices);
      return { ...sessionView(session), usage: { ...total, key: session.id } };
    },

    async configureSession(idOrName, changes) {
      checkDefaults(changes.settings, policy);
      checkInputSize("", changes.instructions ?? null, policy.maxInputBytes);
      const session = await find(idOrName);
      await changed(session, () =>
        store.configureSession(session.id, changeOf(changes), clock.now(), {
          contentBytes: policy.maxContentBytes,
        }),
      );
      return sessionView(await find(session.id));
    },

    async deleteSession(idOrName): Promise<SessionView> {
      const session = await find(idOrName);
      await changed(session, () => store.deleteSession(session.id));
      return sessionView(session);
    },
  };

  async function find(idOrName: string): Promise<SessionOverview> {
    const session = await store.session(idOrName);
    if (session === null) throw unknownSession();
    return session;
  }

  /** Refused while work is live or unresolved; a dead owner's work is looked at first. */
  async function changed(session: SessionOverview, change: () => Promise<SessionOutcome>) {
    const active = session.activeRequestId === null ? null : await store.load(session.activeRequestId);
    if (active) await leases.observe(active);
    const outcome = await change();
    if (outcome.kind !== "done") throw refusedSessionChange(outcome);
  }
}

function changeOf({ name, instructions, settings, unset }: SessionChanges): SessionChange {
  const cleared = new Set<string>(unset);
  return {
    ...(name !== undefined ? { name } : cleared.has("name") && { name: null }),
    ...(instructions !== undefined
      ? { instructions: instructions || null }
      : cleared.has("instructions") && { instructions: null }),
    defaults: withoutUndefined(settings),
    unset: unset.filter((field) => field !== "name" && field !== "instructions"),
  };
}

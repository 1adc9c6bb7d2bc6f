import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { SessionChange, Store } from "../../../src/store/store.ts";
import {
  abandoned,
  accepted,
  answered,
  claimed,
  lived,
  lost,
  newSession,
  noon,
  rejected,
  wide,
} from "../life.ts";
import type { StoreTest } from "./store-test.ts";

async function idle(store: Store, instructions: string | null = null) {
  const { sessionId } = await lived(
    store,
    await claimed(store, { session: newSession(instructions) }),
    rejected,
  );
  return sessionId;
}

const configure = (store: Store, id: string, change: SessionChange, contentBytes = wide.contentBytes) =>
  store.configureSession(id, change, noon + 500, { contentBytes });

export function sessions(test: StoreTest): void {
  test("a session tells what holds it and how its requests stand", async ({ store }) => {
    const first = await answered(store);
    const versionNow = async () => (await store.session(first.sessionId))?.version ?? -1;
    const next = async () =>
      ({ kind: "existing", id: first.sessionId, version: await versionNow() }) as const;
    await lived(store, await claimed(store, { session: await next() }), rejected);
    const third = await lived(store, await claimed(store, { session: await next() }), lost);
    const unresolved = await store.session(first.sessionId);
    await lived(store, third, abandoned);
    const fourth = await claimed(store, { session: await next() });

    expect(unresolved).toMatchObject({
      activeRequestId: third.id,
      counts: { requests: 3, completed: 1, unresolved: 1, live: 0 },
    });
    expect(await store.session(first.sessionId)).toMatchObject({
      activeRequestId: fourth.id,
      counts: { requests: 4, completed: 1, unresolved: 0, live: 1 },
    });
  });

  test("sessions are listed by id, page after page, each with its own counts", async ({ store }) => {
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) ids.push((await answered(store)).sessionId);
    const live = await lived(store, await claimed(store), accepted());
    ids.push(live.sessionId);
    ids.sort();

    const first = await store.sessions({ after: null, limit: 4 });
    const second = await store.sessions({ after: first.at(-1)?.id ?? "", limit: 4 });

    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
    for (const { id, counts, activeRequestId } of [...first, ...second]) {
      const mine = id === live.sessionId;
      expect(activeRequestId).toBe(mine ? live.id : null);
      expect(counts).toEqual({ requests: 1, completed: mine ? 0 : 1, unresolved: 0, live: mine ? 1 : 0 });
    }
    expect(await store.sessions({ after: ids.at(-1) ?? "", limit: 4 })).toEqual([]);
  });

  test("a session is found by its id or by its name, whatever the case", async ({ store, other }) => {
    const id = await idle(store);
    await configure(store, id, { name: "Überblick" });

    expect(await other.session("ÜBERBLICK")).toMatchObject({ id, name: "Überblick" });
    expect(await other.session("u\u0308berblick")).toMatchObject({ id });
    expect(await other.session(id)).toMatchObject({ id });
    expect(await other.session(id.toUpperCase())).toMatchObject({ id });
    expect(await other.session("elsewhere")).toBeNull();
  });

  test("an id is stronger than another session's equal name", async ({ store }) => {
    const [id, namesake] = [await idle(store), await idle(store)];
    await configure(store, namesake, { name: id });

    expect(await store.session(id)).toMatchObject({ id });
  });

  test("a name belongs to one session, whatever the case, until it is given up", async ({ store }) => {
    const [first, second] = [await idle(store), await idle(store)];
    await configure(store, first, { name: "Plan" });
    const before = await store.session(second);

    const taken = await configure(store, second, { name: "PLAN", defaults: { model: "x" } });

    expect(taken).toEqual({ kind: "name_taken", by: first });
    expect(await store.session(second)).toEqual(before);
    expect(await configure(store, first, { name: "plan" })).toMatchObject({
      kind: "done",
      session: { name: "plan" },
    });
    await configure(store, first, { name: null });
    expect(await configure(store, second, { name: "PLAN" })).toMatchObject({
      kind: "done",
      session: { name: "PLAN" },
    });
  });

  test("configuring sets what is given, clears what is named, keeps the rest and moves the version", async ({
    store,
  }) => {
    const id = await idle(store, "Be brief.");
    const before = await store.session(id);

    const set = await configure(store, id, { defaults: { verbosity: "low", background: false } });
    const cleared = await configure(store, id, { unset: ["verbosity"], instructions: null });

    expect(set).toMatchObject({
      kind: "done",
      session: {
        defaults: { model: "test-model", verbosity: "low", background: false },
        instructions: "Be brief.",
        version: (before?.version ?? 0) + 1,
        updatedAt: noon + 500,
      },
    });
    expect(cleared).toMatchObject({
      session: { defaults: { model: "test-model", background: false }, instructions: null },
    });
    expect(cleared.kind === "done" && cleared.session.defaults).not.toHaveProperty("verbosity");
    expect(cleared.kind === "done" && (await store.session(id))).toMatchObject(
      cleared.kind === "done" ? cleared.session : {},
    );
  });

  test("longer instructions need room, and a refusal changes nothing", async ({ store }) => {
    const id = await idle(store, "Short.");
    const { contentBytes } = await store.totals();
    const before = await store.session(id);

    const refused = await configure(store, id, { instructions: "Longer." }, contentBytes);
    const taken = await configure(store, id, { instructions: "Longer." }, contentBytes + 1);
    const shorter = await configure(store, id, { instructions: "S" }, 0);

    expect(refused).toMatchObject({ kind: "full", limit: "content", max: contentBytes });
    expect(before?.instructions).toBe("Short.");
    expect([taken.kind, shorter.kind]).toEqual(["done", "done"]);
    expect((await store.totals()).contentBytes).toBe(contentBytes - 5);
  });

  test("a session with live or unresolved work is neither configured nor deleted", async ({ store }) => {
    const live = await claimed(store);
    const unresolved = await lived(store, await claimed(store), lost);

    for (const by of [live, unresolved]) {
      expect(await configure(store, by.sessionId, { name: "Plan" })).toEqual({ kind: "blocked", by });
      expect(await store.deleteSession(by.sessionId)).toEqual({ kind: "blocked", by });
      expect(await store.load(by.id)).toEqual(by);
      expect(await store.session(by.sessionId)).toMatchObject({ name: null });
    }
  });

  test("deleting a session takes its requests, answers and journal, and nobody else's", async ({
    store,
    other,
  }) => {
    const gone = await answered(store);
    const stays = await answered(store);
    const session = await store.session(gone.sessionId);

    const outcome = await store.deleteSession(gone.sessionId);

    const { activeRequestId: _active, counts: _counts, ...record } = session ?? {};
    expect(outcome).toEqual({ kind: "done", session: record });
    expect(await other.session(gone.sessionId)).toBeNull();
    expect(await other.load(gone.id)).toBeNull();
    expect(await other.result(gone.id)).toBeNull();
    expect(await other.journal(gone.id)).toEqual([]);
    expect(await other.load(stays.id)).toEqual(stays);
    expect(await other.result(stays.id)).not.toBeNull();
  });

  test("a session that is not there cannot be configured or deleted", async ({ store }) => {
    expect(await configure(store, randomUUID(), { name: "Plan" })).toEqual({ kind: "session_unknown" });
    expect(await store.deleteSession(randomUUID())).toEqual({ kind: "session_unknown" });
  });
}

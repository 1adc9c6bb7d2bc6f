/** Time is cranked by hand here; the same between real processes is in test/cases/resources.test.ts. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ClaimcheckError } from "../../src/contract/errors.ts";
import { requestUri, sessionUri } from "../../src/mcp/resources/address.ts";
import { createFollowers, mostFollowed } from "../../src/mcp/resources/followers.ts";
import { fakeEngine } from "./support/fake-engine.ts";
import { aSession, otherId, requestId, sessionId } from "./support/views.ts";

const uri = requestUri(requestId);
const at = "2026-01-01T00:00:00.000Z";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A store of requests by how far their journal goes, watched by who is listening. */
function aStore() {
  const seqs = new Map<string, number>();
  const listeners = new Set<() => void>();
  let fault: ClaimcheckError | undefined;
  let slow: Promise<void> | undefined;
  const engine = fakeEngine({
    watch: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    journal: async (id) => {
      if (fault) throw fault;
      const seq = seqs.get(id);
      await slow;
      if (seq === undefined) throw new ClaimcheckError("unknown_request", "No request here.");
      return [{ seq, note: 0, event: "x", state: "streaming", at, process: "1", payload: {} }];
    },
    session: async () => aSession({ counts: { requests: seqs.size, completed: 0, unresolved: 0, live: 0 } }),
  });
  const hint = () => {
    for (const listener of listeners) listener();
  };
  return {
    engine,
    listeners,
    hint,
    looks: () => engine.asked.length,
    fails: (with_: ClaimcheckError | undefined) => {
      fault = with_;
    },
    /** What is read from now on is handed out only when `until` resolves. */
    slowDown: (until: Promise<void> | undefined) => {
      slow = until;
    },
    write: (id: string, seq: number) => {
      seqs.set(id, seq);
      hint();
    },
    remove: (id: string) => {
      seqs.delete(id);
      hint();
    },
  };
}

function following(store: ReturnType<typeof aStore>, engine = async () => store.engine) {
  const told: string[] = [];
  const followers = createFollowers({
    engine,
    log: () => {},
    monotonicMs: () => 0,
    newId: () => "incident-1",
  });
  return { followers, told, tell: (of: string) => void told.push(of) };
}

const settle = () => vi.advanceTimersByTimeAsync(500);

describe("who follows a request", () => {
  test("is told when it changed, once for a burst", async () => {
    const store = aStore();
    store.write(requestId, 0);
    const { followers, told, tell } = following(store);
    await followers.follow("a", [uri], tell);
    for (const seq of [1, 2, 3]) store.write(requestId, seq);
    await settle();
    expect(told).toEqual([uri]);
    store.write(requestId, 4);
    await settle();
    expect(told).toEqual([uri, uri]);
  });

  test("is not told of hints without a change, nor of other requests", async () => {
    const store = aStore();
    store.write(requestId, 0);
    const { followers, told, tell } = following(store);
    await followers.follow("a", [uri], tell);
    store.hint();
    store.write(otherId, 5);
    await settle();
    expect(told).toEqual([]);
  });

  test("hears of one that comes to be, and of one that goes", async () => {
    const store = aStore();
    const { followers, told, tell } = following(store);
    await followers.follow("a", [uri], tell);
    store.write(requestId, 0);
    await settle();
    store.remove(requestId);
    await settle();
    expect(told).toEqual([uri, uri]);
  });

  test("hears of it under the spelling it asked for", async () => {
    const store = aStore();
    store.write(requestId, 0);
    const spelled = uri.toUpperCase();
    const { followers, told, tell } = following(store);
    await followers.follow("a", [spelled], tell);
    store.write(requestId, 1);
    await settle();
    expect(told).toEqual([spelled]);
  });

  test("misses nothing that happens while it is taken in", async () => {
    const store = aStore();
    store.write(requestId, 0);
    const { followers, told, tell } = following(store);
    const taken = followers.follow("a", [uri], tell);
    await taken;
    store.write(requestId, 1);
    await settle();
    expect(told).toEqual([uri]);
  });

  test("is not told of what happened before another one's turn to look came", async () => {
    const store = aStore();
    store.write(requestId, 0);
    const first = following(store);
    const late: string[] = [];
    await first.followers.follow("a", [uri], first.tell);
    store.write(requestId, 1);
    await first.followers.follow("b", [uri], (of) => void late.push(of));
    await settle();
    expect({ first: first.told, late }).toEqual({ first: [uri], late: [] });
  });

  test("is not told again because an older look was slower", async () => {
    const store = aStore();
    store.write(requestId, 0);
    const first = following(store);
    const late: string[] = [];
    await first.followers.follow("a", [uri], first.tell);
    let release = () => {};
    store.slowDown(
      new Promise((resolve) => {
        release = resolve;
      }),
    );
    store.write(requestId, 1);
    await settle();
    store.slowDown(undefined);
    store.write(requestId, 2);
    const taken = first.followers.follow("b", [uri], (of) => void late.push(of));
    await settle();
    release();
    await taken;
    await settle();
    expect(late).toEqual([]);
  });

  test("hears what happened while the store could not be looked at, once it can", async () => {
    const store = aStore();
    store.write(requestId, 0);
    const { followers, told, tell } = following(store);
    await followers.follow("a", [uri], tell);
    store.fails(new ClaimcheckError("storage_unavailable", "Busy."));
    store.write(requestId, 1);
    await settle();
    expect(told).toEqual([]);
    store.fails(undefined);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(told).toEqual([uri]);
  });
});

test("who follows a session is told when anything in it changed", async () => {
  const store = aStore();
  const { followers, told, tell } = following(store);
  await followers.follow("a", [sessionUri(sessionId)], tell);
  store.hint();
  await settle();
  expect(told).toEqual([]);
  store.write(requestId, 0);
  await settle();
  expect(told).toEqual([sessionUri(sessionId)]);
});

describe("while nobody follows", () => {
  test("nothing is opened, watched or looked at", async () => {
    const store = aStore();
    const engine = vi.fn(async () => store.engine);
    following(store, engine);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(engine).not.toHaveBeenCalled();
    expect(store.listeners.size).toBe(0);
  });

  test("any more, that is so again", async () => {
    const store = aStore();
    store.write(requestId, 0);
    const { followers, told, tell } = following(store);
    await followers.follow("a", [uri], tell);
    await followers.follow("b", [uri], tell);
    followers.letGo("a");
    expect(store.listeners.size).toBe(1);
    store.write(requestId, 1);
    followers.letGo("b");
    expect(store.listeners.size).toBe(0);
    const looks = store.looks();
    await settle();
    expect({ told, looks: store.looks() }).toEqual({ told: [], looks });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("when the connection closed", async () => {
    const store = aStore();
    const { followers, tell } = following(store);
    await followers.follow("a", [uri], tell);
    await followers.follow("b", [requestUri(otherId)], tell);
    followers.close();
    expect(store.listeners.size).toBe(0);
  });

  test("when the only one left before it was taken in", async () => {
    const store = aStore();
    const { followers, told, tell } = following(store);
    const taken = followers.follow("a", [uri], tell);
    followers.letGo("a");
    expect(await taken).toBe(false);
    expect(store.listeners.size).toBe(0);
    store.write(requestId, 0);
    await settle();
    expect(told).toEqual([]);
  });

  test("because the store could not be opened, which the follower is told with the next step", async () => {
    const store = aStore();
    const engine = async () => {
      throw new ClaimcheckError("storage_newer", "The database is newer.");
    };
    const { followers, tell } = following(store, engine);
    await expect(followers.follow("a", [uri], tell)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringMatching(/The database is newer\. Upgrade/),
      data: { code: "storage_newer" },
    });
    expect(store.listeners.size).toBe(0);
  });
});

test("no more is followed than can be looked at, and who wants more is told the way out", async () => {
  const store = aStore();
  const { followers, told, tell } = following(store);
  const uris = Array.from({ length: mostFollowed }, (_, n) =>
    requestUri(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`),
  );
  await followers.follow("a", uris, tell);
  await expect(followers.follow("b", [uri], tell)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(/At most 100 .* End a subscription/),
    data: { limit: mostFollowed },
  });
  await followers.follow("a", [uri, uri], tell);
  store.write(requestId, 0);
  await settle();
  expect(told).toEqual([uri]);
});

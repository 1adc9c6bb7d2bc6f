import { setImmediate as immediate } from "node:timers/promises";
import { expect, vi } from "vitest";
import { aClaim, claimed, noon, rejected, step, wide } from "../life.ts";
import type { StoreTest } from "./store-test.ts";

export function watching(test: StoreTest): void {
  test("calls back when this process writes, before long", async ({ store }) => {
    const heard = vi.fn();
    const stop = store.watch(heard);

    await claimed(store);

    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), { timeout: 50, interval: 1 });
    stop();
  });

  test("calls back when another process writes", async ({ store, other }) => {
    const heard = vi.fn();
    const stop = store.watch(heard);

    await claimed(other);

    await vi.waitFor(() => expect(heard).toHaveBeenCalled(), { timeout: 2_000, interval: 5 });
    stop();
  });

  test("is silent about what wrote nothing, so that a refused caller does not wake itself", async ({
    store,
  }) => {
    const claim = aClaim();
    const record = await claimed(store, claim);
    const full = { ...wide, live: 1 };
    const session = { kind: "existing", id: record.sessionId, version: 0 } as const;
    const heard = vi.fn();
    const stop = store.watch(heard);

    const refusals = [
      await store.claim(claim),
      await store.claim(aClaim({ limits: full })),
      await store.claim(aClaim({ session })),
      await store.commit(step(record, rejected, { fence: { kind: "version", version: 7 } })),
      await store.deleteSession(record.sessionId),
    ];
    await immediate();

    expect(refusals.map(({ kind }) => kind)).toEqual(["replayed", "full", "blocked", "stale", "blocked"]);
    expect(heard).not.toHaveBeenCalled();
    stop();
  });

  test("calls back no more once it was stopped, while other listeners go on", async ({ store }) => {
    const [stopped, goesOn] = [vi.fn(), vi.fn()];
    const stop = store.watch(stopped);
    const stopOther = store.watch(goesOn);
    stop();
    stop();

    await claimed(store);

    await vi.waitFor(() => expect(goesOn).toHaveBeenCalled(), { timeout: 2_000, interval: 5 });
    expect(stopped).not.toHaveBeenCalled();
    stopOther();
  });

  test("after it was closed it takes no work and says so", async ({ database }) => {
    const store = await database.open();
    const heard = vi.fn();
    store.watch(heard);
    await store.close();
    await store.close();

    await expect(claimed(store)).rejects.toMatchObject({ code: "shutting_down" });
    await expect(store.renew("owner-1", [{ id: "x", epoch: 1 }], noon)).rejects.toMatchObject({
      code: "shutting_down",
    });
    expect(heard).not.toHaveBeenCalled();
  });
}

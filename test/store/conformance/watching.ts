import { expect, vi } from "vitest";
import { claimed, noon } from "../life.ts";
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

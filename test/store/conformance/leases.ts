import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { accepted, claimed, lived, noon, step, successorFence } from "../life.ts";
import type { StoreTest } from "./store-test.ts";

export function leases(test: StoreTest): void {
  test("a renewal moves the lease and nothing else", async ({ store, other }) => {
    const record = await claimed(store);

    const renewals = await store.renew("owner-1", [record], noon + 40_000);

    expect(renewals).toEqual([{ id: record.id, held: true, version: 0 }]);
    expect(await other.load(record.id)).toEqual({ ...record, leaseUntil: noon + 40_000 });
  });

  test("an owner notices at its renewal what others wrote", async ({ store, other }) => {
    const record = await claimed(store);
    await other.commit(
      step(record, { type: "caller.cancelled" }, { fence: { kind: "version", version: 0 } }),
    );

    expect(await store.renew("owner-1", [record], noon + 40_000)).toEqual([
      { id: record.id, held: true, version: 1 },
    ]);
  });

  test("a lease that was taken over is not renewed", async ({ store, other }) => {
    const record = await claimed(store);
    const lease = { kind: "take", owner: "owner-2", until: noon + 70_000 } as const;
    await other.commit(step(record, accepted(), { fence: successorFence(record), lease }));

    const renewals = await store.renew("owner-1", [record], noon + 90_000);

    expect(renewals).toEqual([{ id: record.id, held: false, version: 1 }]);
    expect(await store.load(record.id)).toMatchObject({ leaseUntil: noon + 70_000 });
  });

  test("a lease of an earlier epoch of the same owner is not renewed", async ({ store }) => {
    const record = await claimed(store);
    const lease = { kind: "take", owner: "owner-1", until: noon + 70_000 } as const;
    await store.commit(step(record, accepted(), { lease }));

    expect(await store.renew("owner-1", [record], noon + 90_000)).toMatchObject([{ held: false }]);
    expect(await store.renew("owner-1", [{ id: record.id, epoch: 2 }], noon + 90_000)).toMatchObject([
      { held: true },
    ]);
  });

  test("a released lease is not renewed", async ({ store }) => {
    const record = await claimed(store);
    await store.commit(step(record, accepted(), { lease: { kind: "release" } }));

    expect(await store.renew("owner-1", [record], noon + 90_000)).toMatchObject([{ held: false }]);
    expect(await store.load(record.id)).toMatchObject({ owner: null, leaseUntil: null });
  });

  test("each of several leases is answered for, in order, those that are gone included", async ({
    store,
  }) => {
    const one = await claimed(store);
    const gone = { id: randomUUID(), epoch: 1 };
    const two = await lived(store, await claimed(store), accepted());

    expect(await store.renew("owner-1", [one, gone, two], noon + 40_000)).toEqual([
      { id: one.id, held: true, version: 0 },
      { id: gone.id, held: false, version: null },
      { id: two.id, held: true, version: 1 },
    ]);
    expect(await store.renew("owner-1", [], noon)).toEqual([]);
  });
}

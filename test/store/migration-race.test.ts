import { join } from "node:path";
import { expect, test } from "vitest";
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { contentHash, faultsIn, inFolder, withClient } from "./folders.ts";
import { aClaim, claimed } from "./life.ts";
import { contentOf, makeOldFile, nextIn, nextMigrations } from "./migration-next.ts";
import { type StoreProcess, soon, startProcess, withProcesses } from "./process.ts";

const many = 6;
const next = { migrations: nextMigrations };
const ofOld = { standing: ["of old, test"], weights: [1] };

async function closeAll(processes: readonly StoreProcess[]): Promise<void> {
  await Promise.all(processes.map((one) => one.close()));
}

test("processes that start at once on a fresh file all find one complete database", () =>
  inFolder((folder) =>
    withProcesses(many, async (processes) => {
      for (let round = 0; round < 8; round += 1) {
        const file = join(folder, `round-${round}`, "claimcheck.db");
        const at = soon();

        const keys = await Promise.all(processes.map((one) => one.open(file, { at })));
        const totals = await Promise.all(processes.map((one) => one.call("totals", [])));
        await closeAll(processes);

        expect(new Set(keys).size).toBe(1);
        expect(new Set(totals.map((each) => JSON.stringify(each))).size).toBe(1);
        expect(faultsIn(file)).toEqual([]);
        expect(withClient(file, (client) => client.pragma("user_version", { simple: true }))).toBe(
          migrations.length,
        );
      }
    }),
  ));

test("processes that start at once on an old file bring it forward once, and lose nothing of it", () =>
  inFolder((folder) =>
    withProcesses(many, async (processes) => {
      for (let round = 0; round < 6; round += 1) {
        const file = join(folder, `round-${round}`, "claimcheck.db");
        await makeOldFile(file);
        const before = contentOf(file);
        const at = soon();

        const keys = await Promise.all(processes.map((one) => one.open(file, { at, ...next })));
        await closeAll(processes);

        expect(new Set(keys).size).toBe(1);
        expect(contentOf(file)).toEqual({ ...before, version: nextMigrations.length });
        expect(nextIn(file)).toEqual(ofOld);
        expect(faultsIn(file)).toEqual([]);
      }
    }),
  ));

test("a file that was brought forward is worked with as before", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    await makeOldFile(file);
    const store = await openSqliteStore({ file, ...next });

    const record = await claimed(store);

    expect(await store.load(record.id)).toEqual(record);
    await store.close();
    expect(nextIn(file)?.standing.sort()).toEqual(["new", ...ofOld.standing]);
    expect(faultsIn(file)).toEqual([]);
  }));

test("an older version refuses a file that was brought forward, whether it had it open or opens it now", () =>
  inFolder((folder) =>
    withProcesses(3, async ([old, later, newer]) => {
      const file = join(folder, "claimcheck.db");
      await makeOldFile(file);
      await old?.open(file);
      await old?.call("totals", []);
      await newer?.open(file, next);
      const before = contentOf(file);
      const refused = { code: "storage_newer" };

      await expect(old?.call("claim", [aClaim()])).rejects.toMatchObject(refused);
      await expect(old?.call("markDelivered", ["some", 1])).rejects.toMatchObject(refused);
      await expect(old?.call("totals", [])).rejects.toMatchObject(refused);
      await expect(later?.open(file)).rejects.toMatchObject(refused);

      expect(contentOf(file)).toEqual(before);
      expect(nextIn(file)).toEqual(ofOld);
      await old?.close();
      await newer?.close();
      const hash = contentHash(file);
      await expect(later?.open(file)).rejects.toMatchObject(refused);
      expect(contentHash(file)).toBe(hash);
    }),
  ));

test("a process that dies while it brings a file forward leaves the old one whole or the new one whole", () =>
  inFolder(async (folder) => {
    for (const moment of ["begin", "commit", "committed"]) {
      const file = join(folder, moment, "claimcheck.db");
      await makeOldFile(file);
      const before = contentOf(file);
      const dying = await startProcess();
      const death = dying.open(file, { ...next, dieAt: `migrate:${moment}` });
      await expect(death).rejects.toMatchObject({ code: "gone" });

      const kept = moment === "committed";
      expect(nextIn(file)).toEqual(kept ? ofOld : null);
      expect(contentOf(file)).toEqual(kept ? { ...before, version: nextMigrations.length } : before);

      const store = await openSqliteStore({ file, ...next });
      await store.close();
      expect(contentOf(file)).toEqual({ ...before, version: nextMigrations.length });
      expect(nextIn(file)).toEqual(ofOld);
      expect(faultsIn(file)).toEqual([]);
    }
  }));

test("old and new versions that start at once on an old file: never half of one, and nobody meets a lock", () =>
  inFolder((folder) =>
    withProcesses(many, async (processes) => {
      for (let round = 0; round < 6; round += 1) {
        const file = join(folder, `round-${round}`, "claimcheck.db");
        await makeOldFile(file);
        const before = contentOf(file);
        const at = soon();

        const opened = await Promise.allSettled(
          processes.map((one, place) => one.open(file, { at, ...(place % 2 === 0 && next) })),
        );
        const read = await Promise.allSettled(processes.map((one) => one.call("totals", [])));
        await closeAll(processes);

        for (const [place, outcome] of [...opened, ...read].entries()) {
          if (outcome.status === "fulfilled") continue;
          expect(place % 2, String(outcome.reason)).toBe(1);
          if (place < many) expect(outcome.reason).toMatchObject({ code: "storage_newer" });
        }
        expect(contentOf(file)).toEqual({ ...before, version: nextMigrations.length });
        expect(nextIn(file)).toEqual(ofOld);
        expect(faultsIn(file)).toEqual([]);
      }
    }),
  ));

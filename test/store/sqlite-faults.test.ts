import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import Client from "better-sqlite3";
import { expect, test, vi } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import type { Faults } from "../../src/store/sqlite/transaction.ts";
import type { Store } from "../../src/store/store.ts";
import { faultsIn, inFolder } from "./folders.ts";
import {
  aClaim,
  accepted,
  anAnswer,
  answered,
  claimed,
  completed,
  lived,
  newSession,
  noon,
  rejected,
  step,
  versionFence,
  wide,
} from "./life.ts";

type Point = Parameters<Faults>[0];

function diskFault(code = "SQLITE_IOERR_FSYNC") {
  return Object.assign(new Error("disk I/O error"), { code });
}

type Strike = (client: Client.Database) => void;
type Arm = (point: Point, strike: Strike) => void;

/** A store whose next write meets, once, what `arm` set up for a moment of it. */
async function withFault(use: (store: Store, arm: Arm, file: string) => Promise<void>) {
  let armed: { point: Point; strike: Strike } | undefined;
  const faults: Faults = (point, client) => {
    if (point !== armed?.point) return;
    const { strike } = armed;
    armed = undefined;
    strike(client);
  };
  await inFolder(async (folder) => {
    const file = join(folder, "data", "claimcheck.db");
    const store = await openSqliteStore({ file, busyMs: 1, patienceMs: 400, faults });
    try {
      await use(store, (point, strike) => (armed = { point, strike }), file);
    } finally {
      await store.close();
    }
    expect(faultsIn(file)).toEqual([]);
  });
}

function fail(code?: string): Strike {
  return () => {
    throw diskFault(code);
  };
}

test("a claim whose sync failed after all was kept is found again and goes on", () =>
  withFault(async (store, arm) => {
    const claim = aClaim();
    arm("claim:committed", fail());

    const outcome = await store.claim(claim);

    expect(outcome).toMatchObject({ kind: "claimed", record: { id: claim.id, version: 0 } });
    expect(await store.journal(claim.id)).toHaveLength(1);
  }));

test("a claim that the disk did not keep is an error, and nothing is there to be sent", () =>
  withFault(async (store, arm) => {
    const claim = aClaim();
    arm("claim:commit", fail());

    await expect(store.claim(claim)).rejects.toMatchObject({ code: "storage_unavailable" });

    expect(await store.load(claim.id)).toBeNull();
    expect((await store.claim(claim)).kind).toBe("claimed");
  }));

test("a commit whose sync failed after all was kept is found again, and written once", () =>
  withFault(async (store, arm) => {
    const record = await claimed(store);
    const commit = step(record, accepted("resp_1"));
    arm("commit:committed", fail());

    const outcome = await store.commit(commit);

    expect(outcome).toMatchObject({ kind: "committed", record: { version: 1, state: "streaming" } });
    expect((await store.journal(record.id)).map(({ eventId }) => eventId)).toContain(commit.event.eventId);
    expect(await store.journal(record.id)).toHaveLength(2);
  }));

test("a commit that the disk did not keep is stale: read again, decide again", () =>
  withFault(async (store, arm) => {
    const record = await lived(store, await claimed(store), accepted("resp_1"));
    arm("commit:commit", fail());

    const outcome = await store.commit(step(record, completed(anAnswer("resp_1"))));

    expect(outcome).toEqual({ kind: "stale" });
    expect(await store.load(record.id)).toEqual(record);
    expect(await store.result(record.id)).toBeNull();
    expect(await lived(store, record, completed(anAnswer("resp_1")))).toMatchObject({ state: "completed" });
  }));

test("a commit that was not kept is not taken for one that another process wrote in its place", () =>
  withFault(async (store, arm, file) => {
    const other = await openSqliteStore({ file });
    const record = await claimed(store);
    const rival = step(record, rejected, { fence: versionFence(record) });
    arm("commit:commit", () => {
      // Runs before the search: the failed transaction has let go of the lock by then.
      queueMicrotask(() => void other.commit(rival));
      throw diskFault();
    });

    const outcome = await store.commit(step(record, accepted("resp_1"), { fence: versionFence(record) }));

    expect(outcome).toEqual({ kind: "stale" });
    expect((await store.journal(record.id)).map(({ eventId }) => eventId)).toContain(rival.event.eventId);
    await other.close();
  }));

test("a claim that was not kept is not taken for one that another process made of the same id", () =>
  withFault(async (store, arm, file) => {
    const other = await openSqliteStore({ file });
    const claim = aClaim();
    const rival = { ...claim, session: newSession(), owner: "owner-2", eventId: randomUUID() };
    arm("claim:commit", () => {
      queueMicrotask(() => void other.claim(rival));
      throw diskFault();
    });

    await expect(store.claim(claim)).rejects.toMatchObject({ code: "storage_unavailable" });

    expect(await store.load(claim.id)).toMatchObject({ owner: "owner-2" });
    await other.close();
  }));

test("a disk that fails before anything was written is an error that names the file, and the next call works", () =>
  withFault(async (store, arm, file) => {
    const record = await claimed(store);
    arm("commit:begin", fail("SQLITE_IOERR_READ"));

    await expect(store.commit(step(record, accepted()))).rejects.toMatchObject({
      code: "storage_unavailable",
      message: expect.stringContaining(file),
    });

    expect((await store.commit(step(record, accepted()))).kind).toBe("committed");
  }));

test("other writes whose sync failed are errors, never silence", () =>
  withFault(async (store, arm) => {
    const { id, sessionId } = await answered(store);
    const note = { type: "late", payload: {}, at: noon, process: "process-1" };
    const writes: [Point, () => Promise<unknown>][] = [
      ["note:commit", () => store.note(id, note)],
      ["deliver:commit", () => store.markDelivered(id, noon)],
      ["configure:commit", () => store.configureSession(sessionId, { name: "Plan" }, noon, wide)],
      ["delete:commit", () => store.deleteSession(sessionId)],
      ["renew:commit", () => store.renew("owner-1", [{ id, epoch: 1 }], noon)],
    ];

    for (const [point, write] of writes) {
      arm(point, fail());
      await expect(write()).rejects.toMatchObject({ code: "storage_unavailable" });
      await write();
    }
    expect(await store.load(id)).toBeNull();
  }));

test("on a full disk nothing is written, the error says so, and it works again once there is room", () =>
  withFault(async (store, arm) => {
    const record = await lived(store, await claimed(store), accepted("resp_1"));
    const answer = completed(anAnswer("resp_1", "x".repeat(200_000)));
    arm("commit:begin", (client) =>
      client.pragma(`max_page_count = ${client.pragma("page_count", { simple: true })}`),
    );

    await expect(store.commit(step(record, answer))).rejects.toMatchObject({
      code: "storage_full",
      message: /Free some space/,
    });

    expect(await store.load(record.id)).toEqual(record);
    expect(await lived(store, record, answer)).toMatchObject({ state: "completed" });
  }));

test("a disk that fills up during the commit is called full, not stale", () =>
  withFault(async (store, arm) => {
    const record = await claimed(store);
    arm("commit:commit", fail("SQLITE_FULL"));

    await expect(store.commit(step(record, accepted()))).rejects.toMatchObject({ code: "storage_full" });

    expect(await store.load(record.id)).toEqual(record);
  }));

test("a disk that went away during a commit is not taken for an empty database", () =>
  withFault(async (store, arm, file) => {
    const record = await claimed(store);
    const [folder, away] = [dirname(file), `${dirname(file)}-away`];
    arm("commit:commit", () => {
      renameSync(folder, away);
      throw diskFault();
    });

    await expect(store.commit(step(record, accepted()))).rejects.toMatchObject({
      code: "storage_unavailable",
    });
    await expect(store.load(record.id)).rejects.toMatchObject({ code: "storage_unavailable" });
    expect(existsSync(folder)).toBe(false);
    renameSync(away, folder);

    expect(await store.load(record.id)).toEqual(record);
  }));

test("an empty file in the database's place is not taken for it", () =>
  withFault(async (store, arm, file) => {
    const record = await claimed(store);
    const [folder, away] = [dirname(file), `${dirname(file)}-away`];
    arm("commit:commit", () => {
      renameSync(folder, away);
      mkdirSync(folder);
      writeFileSync(file, "");
      throw diskFault();
    });

    await expect(store.commit(step(record, accepted()))).rejects.toThrow(
      /no longer the database that was opened/,
    );

    rmSync(folder, { recursive: true });
    renameSync(away, folder);
    expect(await store.load(record.id)).toEqual(record);
  }));

test("waits for a lock without holding up anything else, and then goes on", () =>
  withFault(async (store, _arm, file) => {
    const rival = new Client(file);
    rival.exec("BEGIN IMMEDIATE");
    const settled = vi.fn();

    const claiming = store.claim(aClaim()).finally(settled);
    for (let turn = 0; turn < 20; turn += 1) await immediate();
    expect(settled).not.toHaveBeenCalled();
    rival.exec("COMMIT");

    expect((await claiming).kind).toBe("claimed");
    rival.close();
  }));

test("waits for a lock only so long, then says what is in the way; reading needs none", () =>
  withFault(async (store, _arm, file) => {
    const record = await claimed(store);
    const rival = new Client(file);
    rival.exec("BEGIN IMMEDIATE");

    await expect(store.claim(aClaim())).rejects.toMatchObject({
      code: "storage_unavailable",
      message: /locked by another/,
    });
    expect(await store.load(record.id)).toEqual(record);

    rival.close();
  }));

test("a mistake of ours is not dressed up as a fault of the disk, and undoes the whole write", () =>
  withFault(async (store) => {
    const record = await claimed(store);
    const commit = step(record, accepted("resp_1"), {
      lease: { kind: "take", owner: "owner-2", until: noon },
    });
    const twice = {
      ...commit,
      event: { ...commit.event, eventId: (await store.journal(record.id))[0]?.eventId ?? "" },
    };

    await expect(store.commit(twice)).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });

    expect(await store.load(record.id)).toEqual(record);
    expect((await store.commit(commit)).kind).toBe("committed");
  }));

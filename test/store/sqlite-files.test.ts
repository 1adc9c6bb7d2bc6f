import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { isAtLeast } from "../../src/store/sqlite/sqlite-version.ts";
import { contentHash, createDatabase, inFolder, withClient } from "./folders.ts";
import { answered, claimed, lived, lost, newSession, noon, reserveBytes } from "./life.ts";
import { startProcess } from "./process.ts";

const modeOf = (path: string) => statSync(path).mode & 0o777;
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

test("only the user can read what is stored, whatever the umask", () =>
  inFolder(async (folder) => {
    const file = join(folder, "data", "deep", "claimcheck.db");
    const umask = process.umask(0);
    try {
      const store = await openSqliteStore({ file });
      await claimed(store);
      await store.renew("owner-1", [{ id: "none", epoch: 1 }], noon);

      expect(["", "-wal", "-shm"].map((end) => modeOf(file + end))).toEqual([0o600, 0o600, 0o600]);
      expect([modeOf(join(folder, "data", "deep")), modeOf(join(folder, "data"))]).toEqual([0o700, 0o700]);
      await store.close();
    } finally {
      process.umask(umask);
    }
  }));

test("a database that others could read is closed to them", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    await createDatabase(file);
    chmodSync(file, 0o644);

    const store = await openSqliteStore({ file });
    await claimed(store);

    expect([modeOf(file), modeOf(`${file}-wal`)]).toEqual([0o600, 0o600]);
    await store.close();
  }));

test("the directory of somebody else's choosing keeps its mode", () =>
  inFolder(async (folder) => {
    chmodSync(folder, 0o755);

    await createDatabase(join(folder, "claimcheck.db"));

    expect(modeOf(folder)).toBe(0o755);
  }));

test("opening a database that is up to date changes not one byte of it", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    await createDatabase(file);
    const before = contentHash(file);

    await createDatabase(file);

    expect(contentHash(file)).toBe(before);
  }));

test("several processes write one WAL database, each commit synced, beside leases that are not", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    const modes = new Map<string, unknown[]>();
    const store = await openSqliteStore({
      file,
      faults: (point, client) =>
        modes.set(
          point,
          ["journal_mode", "synchronous", "foreign_keys"].map((name) =>
            client.pragma(name, { simple: true }),
          ),
        ),
    });
    const { id } = await answered(store);
    await store.markDelivered(id, noon);
    await store.renew("owner-1", [{ id, epoch: 1 }], noon);
    await store.note(id, { type: "late", payload: {}, at: noon, process: "process-1" });
    await store.close();

    const [full, normal] = [
      ["wal", 2, 1],
      ["wal", 1, 1],
    ];
    expect(Object.fromEntries(modes)).toMatchObject({
      "claim:begin": full,
      "commit:begin": full,
      "note:begin": full,
      "renew:begin": normal,
      "deliver:begin": normal,
    });
  }));

test("a file that is no database is refused and left as it was", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    writeFileSync(file, "These are my notes, not a database. ".repeat(200), { mode: 0o600 });
    const before = contentHash(file);

    await expect(openSqliteStore({ file })).rejects.toMatchObject({ code: "storage_corrupt" });

    expect(contentHash(file)).toBe(before);
  }));

test("another program's database is refused and left as it was", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    withClient(file, (client) => client.exec("create table bookmarks (url text)"));
    chmodSync(file, 0o600);
    const before = contentHash(file);

    await expect(openSqliteStore({ file })).rejects.toThrow(/another program.*CLAIMCHECK_DATA_DIR/);

    expect(contentHash(file)).toBe(before);
  }));

test("a database of a newer claimcheck is refused and left as it was", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    await createDatabase(file);
    withClient(file, (client) => client.pragma(`user_version = ${migrations.length + 1}`));
    const before = contentHash(file);

    const opened = openSqliteStore({ file });

    await expect(opened).rejects.toMatchObject({ code: "storage_newer", message: /Upgrade claimcheck/ });
    expect(contentHash(file)).toBe(before);
  }));

test("a database with overwritten pages is called damaged, not empty", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    const first = await openSqliteStore({ file });
    const { id } = await answered(first);
    await first.close();
    overwrite(file, 4096, statSync(file).size);

    const read = openSqliteStore({ file }).then(async (store) => {
      try {
        return await store.load(id);
      } finally {
        await store.close();
      }
    });

    await expect(read).rejects.toMatchObject({
      code: "storage_corrupt",
      message: expect.stringContaining(file),
    });
  }));

function overwrite(file: string, from: number, to: number) {
  const handle = openSync(file, "r+");
  writeSync(handle, Buffer.alloc(to - from, 0xff), 0, to - from, from);
  closeSync(handle);
}

test("a row that does not have our shape is called damaged, naming nothing of it", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    const store = await openSqliteStore({ file });
    const { id } = await claimed(store);
    withClient(file, (client) => client.exec(`update requests set settings = '{"model":"secret"'`));

    const failure = await store.load(id).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: "storage_corrupt" });
    expect(String(failure)).not.toContain("secret");
    await store.close();
  }));

for (const [what, place] of [
  ["under a file", (folder: string) => join(folder, "file", "claimcheck.db")],
  ["where a directory is", (folder: string) => join(folder, "directory")],
  ["in a file system that takes no directories", () => "/proc/claimcheck/claimcheck.db"],
] as const) {
  test(`a database ${what} is unavailable, and the error says what to do`, () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, "file"), "");
      mkdirSync(join(folder, "directory"));

      const opened = openSqliteStore({ file: place(folder) });

      await expect(opened).rejects.toMatchObject({
        code: "storage_unavailable",
        message: /CLAIMCHECK_DATA_DIR to an absolute path/,
      });
      expect(statSync(join(folder, "directory")).isDirectory()).toBe(true);
    }));
}

/** Rights mean nothing to root, so somebody without any opens the file. */
test.runIf(isRoot)(
  "a database this user may not write is unavailable, at once and not at the first claim",
  () =>
    inFolder(async (folder) => {
      const file = join(folder, "data", "claimcheck.db");
      await createDatabase(file);
      chmodSync(folder, 0o755);
      chmodSync(join(folder, "data"), 0o755);
      chownSync(file, nobody, nobody);
      chmodSync(file, 0o400);
      const elsewhere = join(folder, "new", "claimcheck.db");
      const process = await startProcess(nobody);
      try {
        for (const path of [file, elsewhere]) {
          const opened = process.open(path);
          await expect(opened).rejects.toMatchObject({
            code: "storage_unavailable",
            message: /EACCES.*CLAIMCHECK_DATA_DIR/,
          });
        }
        chmodSync(file, 0o600);
        await expect(process.open(file)).rejects.toMatchObject({ code: "storage_unavailable" });
      } finally {
        await process.kill();
      }
    }),
);

test("an addon built for another Node is one sentence: which Node, which ABI, what to run", () =>
  inFolder(async (folder) => {
    const nativeBinding = join(folder, "better_sqlite3.node");
    appendFileSync(nativeBinding, "built for another Node");

    const failure = await openSqliteStore({ file: join(folder, "claimcheck.db"), nativeBinding }).catch(
      (error: unknown) => error,
    );

    expect(failure).toMatchObject({ code: "storage_unavailable" });
    const { message } = failure instanceof Error ? failure : { message: "" };
    expect(message).toContain(`Node ${process.version} (ABI ${process.versions.modules}`);
    expect(message).toContain('run "npm rebuild better-sqlite3"');
    expect(message.match(/\.(\s|$)/g)).toHaveLength(1);
  }));

test("SQLite versions that can lose commits of several processes are told from those that cannot", () => {
  const versions = ["3.40.1", "3.51.2", "3.51.3", "3.52.0", "3.53.2", "4.0.0", "", "nonsense"];

  const safe = versions.filter((version) => isAtLeast(version, "3.51.3"));

  expect(safe).toEqual(["3.51.3", "3.52.0", "3.53.2", "4.0.0"]);
  expect(isAtLeast(withClient(":memory:", sqliteVersion), "3.51.3")).toBe(true);
});

function sqliteVersion(client: Parameters<Parameters<typeof withClient>[1]>[0]): string {
  return String(client.prepare("select sqlite_version()").pluck().get());
}

test("nothing has a place in the database but what the contract names", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    await createDatabase(file);

    const columns = withClient(file, (client) =>
      client
        .prepare<[], { name: string; columns: string }>(
          `select m.name as name, group_concat(c.name, ' ') as columns
           from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table' group by m.name order by m.name`,
        )
        .all(),
    );

    expect(Object.fromEntries(columns.map((table) => [table.name, table.columns]))).toEqual({
      journal: "request_id seq note event_id type state at process payload",
      meta: "key value",
      questions: "request_id bytes message prompt",
      requests:
        "id tenant session_id turn tool provider endpoint state machine_version version epoch owner lease_until " +
        "response_id reserved_bytes created_at updated_at finished_at delivered_at pruned_at snapshot settings " +
        "whole_digest field_digests usage service_tier replays",
      results: "request_id bytes outcome",
      sessions:
        "id tenant name name_key provider defaults last_response_id last_response_at version created_at updated_at " +
        "instructions_bytes instructions",
      totals: "tenant sessions requests live content_bytes",
    });
  }));

test("the totals can be counted again from the rows, room set aside for answers included", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    const store = await openSqliteStore({ file });
    await answered(store, { session: newSession("Sei höflich.") });
    await lived(store, await claimed(store), lost);
    await claimed(store);
    const totals = await store.totals();
    await store.close();

    const [bytes, reserved] = withClient(file, (client) =>
      ["select sum(bytes) from results", "select sum(reserved_bytes) from requests"].map((sum) =>
        Number(client.prepare(sum).pluck().get()),
      ),
    );

    expect(reserved).toBe(2 * reserveBytes);
    expect(totals.contentBytes).toBe((bytes ?? 0) + 2 * reserveBytes + 13);
  }));

test("a pruned answer and a deleted session leave no row behind", () =>
  inFolder(async (folder) => {
    const file = join(folder, "claimcheck.db");
    const store = await openSqliteStore({ file });
    const { sessionId } = await answered(store);
    await store.deleteSession(sessionId);
    await store.close();

    const rows = withClient(file, (client) =>
      ["sessions", "requests", "results", "journal"].map((table) =>
        client.prepare(`select count(*) from ${table}`).pluck().get(),
      ),
    );

    expect(rows).toEqual([0, 0, 0, 0]);
  }));

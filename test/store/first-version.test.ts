/** A file as the first version left it, with lives in it, is taken over whole by this one. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { faultsIn, inFolder, withClient } from "./folders.ts";
import { answered, claimed, newSession, noon } from "./life.ts";

/** Tables in the order in which their rows refer to each other. */
const tables = ["sessions", "requests", "results", "journal", "totals", "meta"];

/** The rows of a file of this version in one of the first: what the first had no column for is left behind. */
async function firstVersionOf(file: string, old: string): Promise<void> {
  const database = await openDatabase({
    file: old,
    busyMs: 100,
    patienceMs: 1_000,
    migrations: migrations.slice(0, 1),
  });
  database.close();
  withClient(old, (client) => {
    client.prepare("attach ? as now").run(file);
    for (const table of tables) {
      const columns = client
        .prepare<[], { name: string }>(`select name from main.pragma_table_info('${table}')`)
        .all()
        .map(({ name }) => name)
        .join(", ");
      client.exec(
        `delete from main.${table}; insert into main.${table} (${columns}) select ${columns} from now.${table}`,
      );
    }
  });
}

test("answers, live requests, sessions, books and key are as they were, and new work goes on from them", () =>
  inFolder(async (folder) => {
    const [file, old] = [join(folder, "now.db"), join(folder, "old.db")];
    const store = await openSqliteStore({ file });
    const session = newSession("Be brief.");
    const done = await answered(store, { session }, "forty-two");
    const live = await claimed(store, { at: noon + 1 });
    const totals = await store.totals();
    const { digestKey } = store;
    await store.close();
    await firstVersionOf(file, old);
    expect(withClient(old, (client) => client.pragma("user_version", { simple: true }))).toBe(1);

    const later = await openSqliteStore({ file: old });

    expect(await later.load(done.id)).toEqual(done);
    expect(await later.load(live.id)).toEqual(live);
    expect((await later.result(done.id))?.text).toBe("forty-two");
    expect(await later.journal(done.id)).toHaveLength(3);
    expect(await later.totals()).toEqual(totals);
    expect(later.digestKey).toEqual(digestKey);
    expect(await later.ledger({ limit: 10 })).toMatchObject([
      { id: done.id, replays: 0, serviceTier: null, usage: { total_tokens: 7 } },
      { id: live.id, replays: 0, usage: null },
    ]);
    expect(await later.pastTurns(session.id)).toMatchObject([{ requestId: done.id, message: null }]);
    const next = await claimed(later, { session: { kind: "existing", id: session.id, version: 1 } });
    expect(next.turn).toBe(2);
    await later.close();
    expect(faultsIn(old)).toEqual([]);
  }));

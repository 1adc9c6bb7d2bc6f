import { test } from "vitest";
import type { Store } from "../../../src/store/store.ts";

export interface TestDatabase {
  /** One more handle on the same database. */
  open(): Promise<Store>;
  remove(): Promise<void>;
}

export type MakeDatabase = () => Promise<TestDatabase>;

/** A test that is given an empty database with two handles on it, and that leaves nothing behind. */
export function storeTest(makeDatabase: MakeDatabase) {
  return test.extend<{ database: TestDatabase; store: Store; other: Store }>({
    database: async ({ task: _task }, use) => {
      const database = await makeDatabase();
      await use(database);
      await database.remove();
    },
    store: async ({ database }, use) => lend(await database.open(), use),
    other: async ({ database }, use) => lend(await database.open(), use),
  });
}

export type StoreTest = ReturnType<typeof storeTest>;

async function lend(store: Store, use: (store: Store) => Promise<void>) {
  await use(store);
  await store.close();
}

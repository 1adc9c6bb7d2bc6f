import { renameSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { temporaryDirectory } from "../support/world.ts";
import { aClaim } from "./life.ts";

it("nothing is claimed in a database file that is no longer where others would look for it", async () => {
  const file = join(temporaryDirectory(), "claimcheck.db");
  const store = await openSqliteStore({ file });
  renameSync(file, `${file}.elsewhere`);
  await expect(store.claim(aClaim())).rejects.toMatchObject({ code: "storage_unavailable" });
  await store.close();
});

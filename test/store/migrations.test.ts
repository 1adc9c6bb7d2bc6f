import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { expect, test } from "vitest";
import * as z from "zod";
import * as schema from "../../src/store/sqlite/schema.ts";

const folder = join(import.meta.dirname, "../../drizzle/sqlite");
const embedded = "../../src/store/sqlite/migrations.ts";

const journalSchema = z.object({ entries: z.array(z.object({ idx: z.number(), tag: z.string() })) });

function read(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

function generated() {
  const { entries } = journalSchema.parse(JSON.parse(read("meta/_journal.json")));
  return entries.map(({ tag }) => ({ tag, statements: statementsIn(read(`${tag}.sql`)) }));
}

function statementsIn(migration: string): string[] {
  return migration.split("--> statement-breakpoint").map((statement) => statement.trim());
}

function moduleText(): string {
  return `// biome-ignore-all format: generated
/**
 * The migrations of drizzle/sqlite as code, so that a bundle needs no files beside it. Do not edit: change
 * schema.ts, then run \`npx drizzle-kit generate && npx vitest run test/store/migrations.test.ts -u\`.
 */
export const migrations: readonly { tag: string; statements: readonly string[] }[] = ${JSON.stringify(generated(), null, 2)};
`;
}

test("the migrations that are shipped are those that were generated", async () => {
  await expect(moduleText()).toMatchFileSnapshot(embedded);
});

test("the generated migrations describe the schema: generating again would change nothing", async () => {
  const { entries } = journalSchema.parse(JSON.parse(read("meta/_journal.json")));
  const last = entries.at(-1)?.idx ?? 0;
  const known = JSON.parse(read(`meta/${String(last).padStart(4, "0")}_snapshot.json`));

  const change = await generateSQLiteMigration(known, await generateSQLiteDrizzleJson(schema, known.id));

  expect(change).toEqual([]);
});

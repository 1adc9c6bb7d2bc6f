import { defineConfig } from "drizzle-kit";

/** `npx drizzle-kit generate` needs no database and no network. */
export default defineConfig({
  dialect: "sqlite",
  schema: "./src/store/sqlite/schema.ts",
  out: "./drizzle/sqlite",
});

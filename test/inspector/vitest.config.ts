import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Apart from the other tests: it needs the inspector, which only `npm run test:inspector` installs. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["test/inspector/*.spec.ts"],
    testTimeout: 60_000,
    maxWorkers: 2,
    reporters: ["verbose"],
  },
});

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Apart from the other tests: it needs servers that only `npm run test:upstreams` installs. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["test/upstreams/*.spec.ts"],
    testTimeout: 20_000,
    // A Java server may take this long on a busy machine.
    hookTimeout: 90_000,
    maxWorkers: 2,
    reporters: ["verbose"],
  },
});

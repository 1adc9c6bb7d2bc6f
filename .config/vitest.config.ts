import { defineConfig } from "vitest/config";
import Tally from "./tally.ts";

const [nodeMajor = 0] = process.versions.node.split(".").map(Number);

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    reporters: ["default", new Tally()],
    // drizzle-orm's package.json makes Node 22 and later spend a second on each test file that imports it.
    server: { deps: { inline: nodeMajor >= 22 ? [/drizzle-orm/] : [] } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts", "machines/**/*.ts"],
      exclude: [
        // Types only: nothing to run.
        "src/engine/engine.ts",
        "src/providers/provider.ts",
        "src/store/store.ts",
        // Entry points: tests run them as processes, where coverage does not see them.
        "src/cli/bin.ts",
        "src/cli/start.ts",
        "src/cli/serve.ts",
        "src/index.ts",
      ],
      reporter: ["text-summary", "json"],
      reportsDirectory: "coverage",
      thresholds: { lines: 90, branches: 85 },
    },
  },
});

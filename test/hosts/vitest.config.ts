import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import Matrix from "./matrix.ts";

/** What hosts do, done to the package as npm installs it; the other suites do the same to `dist/`. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: [
      "test/hosts/*.spec.ts",
      "test/interop/*.test.ts",
      "test/cases/{hosts,host-channels,idle-server,paging,process-endings}.test.ts",
      "test/cases/{process-life,result-size,standard-output,waiting}.test.ts",
      "test/cli/binary.test.ts",
    ],
    globalSetup: ["test/hosts/installation.ts"],
    testTimeout: 20_000,
    // Installing compiles SQLite where no binary can be had.
    hookTimeout: 300_000,
    maxWorkers: 2,
    reporters: ["default", new Matrix()],
  },
});

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { serverFile } from "../support/stdio.ts";

/** Node knows an option of the same name and takes it wherever it stands, unless `--` comes first. */
test("a file that is not there is named by claimcheck and not by Node, as hosts are told to call it", () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--", serverFile, "serve", "--env-file", "/nonexistent/claimcheck.env"],
    { encoding: "utf8", timeout: 10_000 },
  );
  expect(stderr).toMatch(/^claimcheck: .*--env-file/);
  expect(status).toBe(2);
});

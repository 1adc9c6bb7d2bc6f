import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { hostNames } from "../../src/hosts/table.ts";
import { serverFile } from "../support/stdio.ts";
import { temporaryDirectory } from "../support/world.ts";
import { claimcheck } from "./support/binary.ts";
import { wellFor } from "./support/doctor.ts";
import { fakeWorld } from "./support/fake-world.ts";

/** Within this process, which is faster for many. */
async function printed(args: string[], more: Record<string, string> = {}): Promise<string> {
  const here = fakeWorld(wellFor(temporaryDirectory(), more));
  await main(args, { ...here, program: { node: process.execPath, script: serverFile } });
  return here.printed();
}

describe.each(hostNames)("doctor --host %s", (name) => {
  test("prints what config prints for it, below the checks", async () => {
    const page = await printed(["doctor", "--host", name]);
    expect(page).toContain((await printed(["config", name])).trimEnd());
    expect(page.indexOf("clock")).toBeLessThan(page.indexOf("a call waits"));
  });
});

test("tells how long a call waits in that host, and by whose word", async () => {
  const hostIn = async (name: string, more: Record<string, string> = {}) =>
    JSON.parse(await printed(["doctor", "--json", "--host", name], more)).host;

  expect(await hostIn("claude-code")).toMatchObject({ wait_ms: 600_000, wait_set_by: "the host's name" });
  expect(await hostIn("claude-desktop")).toMatchObject({ wait_ms: 45_000 });
  expect(await hostIn("codex")).toMatchObject({ wait_ms: 240_000 });
  expect(await hostIn("codex", { CLAIMCHECK_WAIT_MS: "9000" })).toMatchObject({
    wait_ms: 9_000,
    wait_set_by: "CLAIMCHECK_WAIT_MS",
  });
});

test("a host that is none is a usage error that names the one meant, and nothing is looked at", async () => {
  const told = await claimcheck(["doctor", "--host", "codx"], wellFor(temporaryDirectory()));
  expect(told).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("Did you mean codex?") });
});

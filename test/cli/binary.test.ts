import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { serverFile, startServer } from "../support/stdio.ts";
import { temporaryDirectory } from "../support/world.ts";
import { claimcheck } from "./support/binary.ts";
import { fakeWorld } from "./support/fake-world.ts";

/** Makes the process believe that it runs on that Node. */
const pretending = (version: string) => [
  "--import",
  `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${version}"}})`,
];

describe("the floor of Node", () => {
  test.each(["18.20.4", "20.18.3", "21.7.0", "22.13.1"])("%s is refused in one sentence", async (version) => {
    expect(await claimcheck(["--version"], {}, pretending(version))).toEqual({
      code: 1,
      stdout: "",
      stderr: `claimcheck needs Node 20.19 or later, or 22.14 or later; this is ${version}.\n`,
    });
  });

  test.each(["20.19.0", "22.14.0", "23.0.0", "24.1.0"])("%s is taken", async (version) => {
    expect(await claimcheck(["--version"], {}, pretending(version))).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("serve", () => {
  test("answers the host before storage is opened, so that a broken disk is told in words", async () => {
    const sim = await startSimulator();
    try {
      const occupied = join(temporaryDirectory(), "a-file");
      writeFileSync(occupied, "");
      const server = await startServer({ upstream: sim.url, dataDir: join(occupied, "data") });
      const result = await server.call("chat", { message: "hello" });
      await server.close();
      expect(result.isError).toBe(true);
      expect(result.structured).toMatchObject({ status: "error", code: "storage_unavailable" });
      expect(sim.ledger.attempts).toBe(0);
    } finally {
      await sim.close();
    }
  });

  test("names variables that are misspelt, and starts all the same", async () => {
    const sim = await startSimulator();
    try {
      const env = { CLAIMCHECK_MAX_LIV: "3" };
      const server = await startServer({ upstream: sim.url, dataDir: temporaryDirectory(), env });
      await server.close();
      expect(server.stderr()).toContain('"event":"variable.unknown","variable":"CLAIMCHECK_MAX_LIV"');
    } finally {
      await sim.close();
    }
  });

  test("reads a file of variables only when told to", async () => {
    const home = temporaryDirectory();
    const file = join(home, "some.env");
    writeFileSync(file, "CLAIMCHECK_DATA_DIR=relative\nOPENAI_API_KEY=test-key-not-real\n");
    const told = await claimcheck(["serve", "--env-file", file], { HOME: home });
    expect(told).toMatchObject({ code: 2, stdout: "" });
    expect(told.stderr).toContain("CLAIMCHECK_DATA_DIR must be an absolute path");
    const untold = await claimcheck(["serve"], { HOME: home });
    expect(untold.stderr).toContain("OPENAI_API_KEY is required");
  });
});

describe("demo", () => {
  test("keeps every promise before one's eyes, and leaves nothing behind", async () => {
    const temporary = join(temporaryDirectory(), "tmp");
    mkdirSync(temporary);
    const environment = {
      HOME: temporary,
      TMPDIR: temporary,
      XDG_CACHE_HOME: join(temporary, "..", "cache"),
    };

    const { code, stdout, stderr } = await claimcheck(["demo"], environment);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.match(/^ {3}[0-9a-f-]{36} .* 1$/gm)).toHaveLength(4);
    expect(stdout).toContain("each request was sent exactly once");
    expect(stdout).toMatch(/another process: .*\n.*lease\.expired/);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test("is plain ASCII when asked to be", async () => {
    const here = fakeWorld({ HOME: temporaryDirectory() });
    const world = { ...here, program: { node: process.execPath, script: serverFile } };

    expect(await main(["demo", "--ascii"], world)).toBe(0);

    expect(here.printed()).toMatch(/^[\x20-\x7e\n]+$/);
  });
});

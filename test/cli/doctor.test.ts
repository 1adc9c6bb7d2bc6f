import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { checkNames } from "../../src/doctor/check.ts";
import { createDatabase } from "../store/folders.ts";
import { databaseFile } from "../support/database.ts";
import { serverFile, testKey } from "../support/stdio.ts";
import { temporaryDirectory, world } from "../support/world.ts";
import { claimcheck } from "./support/binary.ts";
import { examined, traceOf, wellFor } from "./support/doctor.ts";
import { fakeWorld } from "./support/fake-world.ts";

test("a healthy installation is called healthy, with every check told in its order", async () => {
  const here = await world();
  const server = await here.server();
  await server.call("chat", { message: "What is a ticket?" });
  await server.close();
  const before = traceOf(here.dataDir);

  const { code, healthy, checks } = await examined(wellFor(here.dataDir));

  expect({ code, healthy }).toEqual({ code: 0, healthy: true });
  expect(Object.keys(checks)).toEqual([...checkNames]);
  expect(checks["node"]?.says).toContain(`Node ${process.versions.node}`);
  expect(checks["sqlite"]?.says).toMatch(/SQLite 3\.\d+\.\d+/);
  expect(checks["directory"]).toEqual({ verdict: "ok", says: `${here.dataDir} can be read and written.` });
  expect(checks["privacy"]?.verdict).toBe("ok");
  expect(checks["database"]?.says).toMatch(
    /^claimcheck\.db is sound: 1 request in 1 session, .* WAL mode\.$/,
  );
  expect(checks["leases"]?.says).toBe("No request is live.");
  expect(checks["unresolved"]?.says).toBe("No request waits to be settled.");
  expect(checks["clock"]?.says).toContain("the newest entry");
  expect(traceOf(here.dataDir)).toEqual(before);
});

test("where nothing is stored yet all is well, and nothing is made by looking", async () => {
  const dataDir = join(temporaryDirectory(), "not", "yet");
  const { code, checks } = await examined(wellFor(dataDir));
  expect(code).toBe(0);
  expect(checks["directory"]).toMatchObject({
    verdict: "ok",
    says: expect.stringContaining("not there yet"),
  });
  expect(checks["database"]).toMatchObject({ verdict: "ok", says: expect.stringContaining("not there yet") });
  expect(existsSync(dataDir)).toBe(false);
});

test.each([
  ["a directory without a database", () => undefined],
  ["a database file without a byte", (file: string) => writeFileSync(file, "", { mode: 0o600 })],
  ["a database without a request", (file: string) => createDatabase(file)],
])("%s is well too, and stays as it is", async (_, make) => {
  const dataDir = join(temporaryDirectory(), "data");
  mkdirSync(dataDir, { mode: 0o700 });
  await make(databaseFile(dataDir));
  const before = traceOf(dataDir);

  const { code, checks } = await examined(wellFor(dataDir));

  expect({ code, database: checks["database"]?.verdict }).toEqual({ code: 0, database: "ok" });
  expect(traceOf(dataDir)).toEqual(before);
});

test("the page keeps to 80 columns, says every check once and ends with what to do", async () => {
  const dataDir = temporaryDirectory();
  const { code, stdout } = await claimcheck(["doctor"], wellFor(dataDir));
  const lines = stdout.trimEnd().split("\n");

  expect(code).toBe(0);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const { checks } = await examined(wellFor(dataDir));
  expect(lines.filter((line) => /^ {2}[●▲✕○] \S/.test(line)).map((line) => line.slice(4, 14).trim())).toEqual(
    Object.keys(checks),
  );
  expect(lines.at(-1)).toMatch(/^Healthy.*doctor --online/);
});

test("is plain ASCII when asked to be, coloured on a terminal, and not where NO_COLOR is set", async () => {
  const dataDir = temporaryDirectory();
  const page = async (args: string[], more: Record<string, string>, tty: boolean) => {
    const here = fakeWorld(wellFor(dataDir, more), { tty });
    await main(["doctor", ...args], { ...here, program: { node: process.execPath, script: serverFile } });
    return here.printed();
  };

  expect(await page(["--ascii"], {}, false)).toMatch(/^[\x20-\x7e\n]+$/);
  expect(await page([], {}, true)).toContain("\x1b[32m●");
  expect(await page([], { NO_COLOR: "1" }, true)).not.toContain("\x1b");
});

test("an option that is none is a usage error, and nothing is looked at", async () => {
  const told = await claimcheck(["doctor", "--onlin"], wellFor(temporaryDirectory()));
  expect(told).toMatchObject({ code: 2, stdout: "" });
});

test("settings in a file of variables count where the file is named", async () => {
  const dataDir = temporaryDirectory();
  const file = join(dataDir, "some.env");
  writeFileSync(file, `OPENAI_API_KEY=${testKey}\n`);
  const { OPENAI_API_KEY: _, ...environment } = wellFor(dataDir);

  const without = await examined(environment);
  const withIt = await examined(environment, { args: ["--env-file", file] });

  expect([without.code, without.checks["key"]?.verdict]).toEqual([1, "fail"]);
  expect([withIt.code, withIt.checks["key"]?.says]).toEqual([0, "OPENAI_API_KEY is set."]);
});

test("a compiled part for another Node is told with both ABIs and the way out", async () => {
  const dataDir = temporaryDirectory();
  const source = `
    process.dlopen = () => {
      throw Object.assign(
        new Error("was compiled against a different Node.js version using NODE_MODULE_VERSION 93."),
        { code: "ERR_DLOPEN_FAILED" },
      );
    };`;
  const nodeArgs = [`--import=data:text/javascript,${encodeURIComponent(source)}`];

  const { code, checks } = await examined(wellFor(dataDir), { nodeArgs });

  expect(code).toBe(1);
  expect(checks["sqlite"]).toMatchObject({
    verdict: "fail",
    next: expect.stringContaining("npm rebuild better-sqlite3"),
  });
  expect(checks["sqlite"]?.says).toContain("ABI 93");
  expect(checks["sqlite"]?.says).toContain(`ABI ${process.versions.modules}`);
  expect(checks["database"]?.verdict).toBe("skip");
});

test("a module that npx did not bring along is told with the directory to remove", async () => {
  const npx = join(temporaryDirectory(), "_npx", "0123abcd");
  const script = join(npx, "node_modules", "claimcheck", "dist", "claimcheck.js");
  cpSync(dirname(serverFile), dirname(script), { recursive: true });

  const { status, stdout } = spawnSync(process.execPath, [script, "doctor", "--json"], {
    env: wellFor(temporaryDirectory()),
    encoding: "utf8",
    timeout: 20_000,
  });

  expect(status).toBe(1);
  const sqlite = JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === "sqlite");
  expect(sqlite).toMatchObject({ verdict: "fail", says: expect.stringContaining("not installed") });
  expect(sqlite.next).toContain(`Remove ${npx} `);
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { version } from "../../src/cli/version.ts";
import { fakeWorld } from "./support/fake-world.ts";

const packageFile = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const commands = ["serve", "config", "list", "show", "demo"];

async function run(args: string[], environment: Record<string, string> = {}) {
  const world = fakeWorld(environment);
  const code = await main(args, world);
  return { code, printed: world.printed(), complained: world.complained() };
}

describe("help", () => {
  test.each([["--help"], ["-h"], ["help"]])("%s names every command and every exit code", async (flag) => {
    const { code, printed } = await run([flag]);
    expect(code).toBe(0);
    for (const command of commands) expect(printed).toMatch(new RegExp(`claimcheck \\[?${command}`));
    for (const number of [0, 1, 2, 3]) expect(printed).toMatch(new RegExp(`^ {2}${number} `, "m"));
  });

  test.each(commands)("of %s says what it takes and does nothing else", async (command) => {
    const { code, printed, complained } = await run([command, "--help"]);
    expect({ code, complained }).toEqual({ code: 0, complained: "" });
    expect(printed).toMatch(new RegExp(`^claimcheck ${command}`));
  });

  test("fits 80 columns", async () => {
    const pages = await Promise.all(
      [["--help"], ...commands.map((name) => [name, "--help"])].map((args) => run(args)),
    );
    const lines = pages.flatMap(({ printed }) => printed.split("\n"));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

test("--version is the version of the package", async () => {
  expect(version).toBe(packageFile.version);
  expect(await run(["--version"])).toMatchObject({ code: 0, printed: `${packageFile.version}\n` });
});

describe("a wrong command line is refused with code 2 and a way on", () => {
  test.each([
    [["shwo"], 'There is no command "shwo". Did you mean show?'],
    [["toString"], 'There is no command "toString".'],
    [["list", "--sate", "live"], "Unknown option '--sate'."],
    [["list", "--state"], "Option '--state <value>' argument missing."],
    [["list", "--state", "lively"], 'There is no state "lively"; claimcheck list --help names them.'],
    [["list", "--limit", "0"], "--limit must be a whole number from 1 to 100."],
    [["list", "--limit", "many"], "--limit must be a whole number from 1 to 100."],
    [["list", "more"], '"more" is one argument too many.'],
    [["show"], "ID is missing."],
    [["show", "7"], "ID must be a UUID; claimcheck list shows them."],
    [["--no-such-flag"], "Unknown option '--no-such-flag'."],
  ])("%j", async (args, message) => {
    expect(await run(args)).toEqual({
      code: 2,
      printed: "",
      complained: `claimcheck: ${message} claimcheck --help shows what there is.\n`,
    });
  });
});

describe("a wrong configuration is refused with code 2", () => {
  test("naming all that is wrong with it", async () => {
    const { code, complained } = await run(["list"], {
      CLAIMCHECK_MAX_LIVE: "none",
      CLAIMCHECK_DATA_DIR: "here",
    });
    expect(code).toBe(2);
    expect(complained).toContain("- CLAIMCHECK_DATA_DIR must be an absolute path");
    expect(complained).toContain("- CLAIMCHECK_MAX_LIVE must be a whole number");
  });

  test("also where it comes from a file", async () => {
    const { code, complained } = await run(["list", "--env-file", "/nowhere/some.env"]);
    expect({ code, complained }).toEqual({
      code: 2,
      complained:
        "claimcheck: Cannot read the file given as --env-file: /nowhere/some.env. Check the path.\n",
    });
  });

  test("and serve does not start without a key", async () => {
    const { code, complained } = await run([]);
    expect(code).toBe(2);
    expect(complained).toMatch(/^claimcheck: OPENAI_API_KEY is required/);
  });
});

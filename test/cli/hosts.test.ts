/** What `claimcheck config` prints, read and run as each host would. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { launchFormOf, launchForms } from "../../src/hosts/launch.ts";
import type { HostSetup } from "../../src/hosts/setup.ts";
import { hostNames } from "../../src/hosts/table.ts";
import { serverFile } from "../support/stdio.ts";
import { temporaryDirectory } from "../support/world.ts";
import { claimcheck } from "./support/binary.ts";
import { fakeWorld } from "./support/fake-world.ts";
import { entryOf } from "./support/host-side.ts";

const someKey = "test-key-not-real";

/** What the command prints for people, within this process, which is faster for many. */
async function printed(args: readonly string[], os = "linux"): Promise<string> {
  const here = fakeWorld({ OPENAI_API_KEY: someKey });
  const world = {
    ...here,
    platform: { ...here.platform, os },
    program: { node: process.execPath, script: serverFile },
  };
  expect(await main(["config", ...args], world)).toBe(0);
  return here.printed();
}

const setupBy = async (args: readonly string[], os?: string): Promise<HostSetup> =>
  JSON.parse(await printed([...args, "--json"], os));

const forms = launchForms
  .flatMap((form) => [
    ["--by", form],
    ["--by", form, "--windows"],
  ])
  .map((args): [string, string[]] => [args.join(" "), args]);

describe.each(hostNames)("config %s", (host) => {
  test.each(forms)("%s prints a block that the host can read, and no key", async (_, args) => {
    expect(entryOf(host, await setupBy([host, ...args]))).toMatchObject({ command: expect.any(String) });
    expect(await printed([host, ...args])).not.toContain(someKey);
  });

  test.each(forms)("%s keeps its prose within 80 columns", async (_, args) => {
    const { block, command = "" } = await setupBy([host, ...args]);
    const prose = (await printed([host, ...args])).replace(block.text, "").replace(command, "");
    const tooLong = prose.split("\n").filter((line) => line.length > 80 && line.includes(" "));
    expect(tooLong).toEqual([]);
  });

  test("starts from a clone by the absolute paths of the Node and the file that run", async () => {
    const { command, args } = entryOf(host, await setupBy([host]));
    expect(command).toBe(process.execPath);
    expect(args).toContain(serverFile);
  });

  test("on Windows starts npx through cmd, since a batch file is no program", async () => {
    for (const form of ["npx", "command"]) {
      const { command, args } = entryOf(host, await setupBy([host, "--by", form], "win32"));
      expect([command, args[0]]).toEqual(["cmd", "/c"]);
    }
    expect(entryOf(host, await setupBy([host], "win32")).command).toBe(process.execPath);
  });

  test("for a Windows machine elsewhere names no path of this one", async () => {
    const text = await printed([host, "--windows"]);
    expect(text).not.toContain(dirname(serverFile));
    expect(text).not.toMatch(/\/home\/|\/bin\//);
  });
});

describe("on Windows", () => {
  test("Codex passes on what Windows programs cannot do without, and waits longer for the first reply", async () => {
    const [here, there] = await Promise.all([setupBy(["codex"]), setupBy(["codex", "--windows"])]);
    const [posix, windows] = [entryOf("codex", here), entryOf("codex", there)];
    expect(windows.env_vars).toEqual(
      expect.arrayContaining(["OPENAI_API_KEY", "SystemRoot", "PROGRAMFILES"]),
    );
    expect(windows.startup_timeout_sec).toBeGreaterThan(posix.startup_timeout_sec ?? 0);
  });

  test("there is no shell command, since three shells would read it in three ways", async () => {
    for (const host of hostNames) expect(await setupBy([host, "--windows"])).not.toHaveProperty("command");
  });
});

describe("the shell command", () => {
  // Each prints the JSON it was given instead of keeping it.
  const readers = `claude() { printf '%s' "$6"; }; code() { printf '%s' "$2"; };`;

  test.each(["claude-code", "vscode"] as const)("for %s hands over what the block says", async (host) => {
    const setup = await setupBy([host]);
    const given = execFileSync("sh", ["-c", `${readers} ${setup.command}`], { encoding: "utf8" });
    const { name = "claimcheck", ...server } = JSON.parse(given);
    expect({ name, server }).toEqual({ name: "claimcheck", server: entryOf(host, setup) });
  });

  test("for Codex adds the block to what is there, and only once", async () => {
    const { command = "", block } = await setupBy(["codex"]);
    const home = temporaryDirectory();
    const file = join(home, ".codex", "config.toml");
    mkdirSync(dirname(file));
    writeFileSync(file, 'model = "some-model"');
    for (const _ of ["once", "twice"])
      execFileSync("sh", ["-c", command], { env: { HOME: home, PATH: path } });
    expect(parseToml(readFileSync(file, "utf8"))).toEqual({ model: "some-model", ...parseToml(block.text) });
  });

  const path = process.env["PATH"] ?? "";
});

describe("the form is the one it was started by", () => {
  test.each([
    ["npx", "_npx/0123456789abcdef/node_modules/claimcheck"],
    ["claimcheck", "lib/node_modules/claimcheck"],
    [process.execPath, "project/node_modules/claimcheck"],
  ])("%s, from %s", async (command, place) => {
    const folder = join(temporaryDirectory(), place);
    cpSync(dirname(serverFile), join(folder, "dist"), { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const script = join(folder, "dist", "claimcheck.js");
    const told = execFileSync(process.execPath, [script, "config", "generic", "--json"], {
      encoding: "utf8",
    });
    expect(entryOf("generic", JSON.parse(told)).command).toBe(command);
  });
});

test.each([
  [
    "npx",
    "C:\\Users\\you\\AppData\\Local\\npm-cache\\_npx\\0123\\node_modules\\claimcheck\\dist\\claimcheck.js",
  ],
  ["command", "C:\\Users\\you\\AppData\\Roaming\\npm\\node_modules\\claimcheck\\dist\\claimcheck.js"],
  ["command", "C:\\Program Files\\nodejs\\node_modules\\claimcheck\\dist\\claimcheck.js"],
  ["command", "/home/you/.nvm/versions/node/v22.23.3/lib/node_modules/claimcheck/dist/claimcheck.js"],
  [
    "path",
    "/home/you/.local/share/pnpm/global/5/.pnpm/claimcheck@0.1.0/node_modules/claimcheck/dist/claimcheck.js",
  ],
  ["path", "C:\\Users\\you\\claimcheck\\dist\\claimcheck.js"],
])("%s is the form of %s", (form, script) => expect(launchFormOf(script)).toBe(form));

describe("claimcheck config", () => {
  test("--json prints one JSON document", async () => {
    expect(await setupBy(["cursor"])).toMatchObject({ file: "~/.cursor/mcp.json" });
  });

  test("suggests the host that was meant, and lists them where none was", async () => {
    const near = await claimcheck(["config", "cursr"]);
    expect(near).toMatchObject({ code: 2, stdout: "" });
    expect(near.stderr).toContain("Did you mean cursor?");
    const none = await claimcheck(["config"]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining(hostNames.join(", ")) });
  });

  test("suggests the way of starting that was meant", async () => {
    const told = await claimcheck(["config", "codex", "--by", "dockr"]);
    expect(told).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Did you mean docker?"),
    });
  });
});

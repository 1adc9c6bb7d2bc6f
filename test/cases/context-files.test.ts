/** Named files: read from one directory, and nothing else, whatever the name says and whatever is put in its place. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { contextDirectory } from "../../src/advice/context/directory.ts";
import { refusal } from "../support/said.ts";
import { sentTo } from "../support/turns.ts";
import { temporaryDirectory, world } from "../support/world.ts";

const outsideWord = "nobody-may-read-this";

/** A directory to read from, beside one that is none of it. */
function place() {
  const base = temporaryDirectory();
  const inside = join(base, "project");
  mkdirSync(join(inside, "src"), { recursive: true });
  mkdirSync(join(base, "project-not"), { recursive: true });
  writeFileSync(join(base, "outside.txt"), outsideWord);
  writeFileSync(join(base, "project-not", "x.txt"), outsideWord);
  writeFileSync(join(inside, "src", "a b.ts"), "export const a = 1;\n");
  writeFileSync(join(inside, ".env"), `SECRET=${outsideWord}`);
  symlinkSync(join(base, "outside.txt"), join(inside, "out.txt"));
  symlinkSync(base, join(inside, "up"));
  symlinkSync(".env", join(inside, "settings.txt"));
  symlinkSync("src", join(inside, "link"));
  symlinkSync("nowhere", join(inside, "broken"));
  symlinkSync("loop", join(inside, "loop"));
  symlinkSync("/proc/self/environ", join(inside, "environ.txt"));
  mkdirSync(join(inside, "node_modules"));
  writeFileSync(join(inside, "node_modules", "index.js"), outsideWord);
  symlinkSync("node_modules", join(inside, "modules"));
  writeFileSync(join(inside, "big.log"), "");
  truncateSync(join(inside, "big.log"), 200 * 1024 * 1024);
  writeFileSync(join(inside, "picture.bin"), Buffer.from([0x89, 0x50, 0xff, 0xfe, 0x00]));
  writeFileSync(join(inside, "zero.txt"), "a\0b");
  execFileSync("mkfifo", [join(inside, "pipe")]);
  return { base, inside };
}

const refused: [string, (place: { base: string; inside: string }) => string, RegExp][] = [
  ["a way out by its parents", () => "../outside.txt", /outside the context directory/],
  ["a way out in the middle", () => "src/../../outside.txt", /outside the context directory/],
  ["a neighbour whose name begins alike", () => "../project-not/x.txt", /outside the context directory/],
  ["a system file by its absolute path", () => "/etc/passwd", /outside the context directory/],
  ["this process's environment", () => "/proc/self/environ", /outside the context directory/],
  ["an absolute path beside the directory", ({ base }) => join(base, "outside.txt"), /outside/],
  ["a link that leads out", () => "out.txt", /outside the context directory/],
  ["a way through a folder that is a link out", () => "up/outside.txt", /outside the context directory/],
  [".env", () => ".env", /\.env\* is never sent/],
  [".env by a detour", () => "src/../.env", /\.env\* is never sent/],
  ["a link to .env", () => "settings.txt", /leads to a file that is never sent \(\.env\*\)/],
  ["a file of 200 MB", () => "big.log", /209715200 bytes, more than 1048576/],
  ["a FIFO", () => "pipe", /not a regular file/],
  ["a folder", () => "src", /not a regular file/],
  ["the directory itself", () => ".", /outside the context directory/],
  ["a file that is not there", () => "src/b.ts", /no such file/],
  ["a link to nothing", () => "broken", /no such file/],
  ["a link to itself", () => "loop", /no such file/],
  ["a link to this process's environment", () => "environ.txt", /outside the context directory/],
  ["a way through a link to what is never sent", () => "modules/index.js", /never sent \(node_modules\/\)/],
  ["this process's input", () => "/dev/stdin", /outside the context directory/],
  ["the root by way of the process", () => "/proc/self/root/etc/passwd", /outside/],
  ["a home by its sign", () => "~/.profile", /no such file/],
  ["an address of a file", () => "file:///etc/passwd", /no such file/],
  ["a name that no system takes", () => "x".repeat(1_000), /no such file/],
  ["a name with half a character", () => "\ud800.ts", /no such file/],
  ["bytes that are no text", () => "picture.bin", /not text/],
  ["text with a NUL", () => "zero.txt", /not text/],
  ["a name with a NUL", () => "src/a\0.ts", /no file has/],
  ["a file below a file", () => "src/a b.ts/c", /no such file/],
  ["a path of the other slash", () => "..\\outside.txt", /no such file/],
];

describe("C42: a file is refused, with a reason", () => {
  test.each(refused)("%s", async (_, pathIn, because) => {
    const here = place();
    await expect(contextDirectory(here.inside)(pathIn(here))).rejects.toMatchObject({
      code: "file_refused",
      message: expect.stringMatching(because),
    });
  });

  test.skipIf(process.getuid?.() === 0)("one that may not be read", async () => {
    const { inside } = place();
    chmodSync(join(inside, "src", "a b.ts"), 0o000);
    await expect(contextDirectory(inside)("src/a b.ts")).rejects.toMatchObject({ code: "file_refused" });
  });

  test("any, where the directory itself is gone", async () => {
    await expect(contextDirectory(join(temporaryDirectory(), "gone"))("a.ts")).rejects.toMatchObject({
      message: expect.stringMatching(/CLAIMCHECK_CONTEXT_DIR is not there/),
    });
  });
});

describe("C42: a file is read", () => {
  test.each(["src/a b.ts", "./src//a b.ts", "link/a b.ts", "src/../src/a b.ts"])(
    "by the name %j",
    async (name) => {
      expect(await contextDirectory(place().inside)(name)).toBe("export const a = 1;\n");
    },
  );

  test.each(["план 計画 é 🧵.md", "e\u0301.md", "a\nb.ts", "-rf", "%2e%2e", "..a", "a..b/..c"])(
    "whatever its name is made of: %j",
    async (name) => {
      const { inside } = place();
      mkdirSync(dirname(join(inside, name)), { recursive: true });
      writeFileSync(join(inside, name), "\ufefftext 🧵\r\n");
      expect(await contextDirectory(inside)(name)).toBe("text 🧵\r\n");
    },
  );

  test("by its absolute path, when that lies inside", async () => {
    const { inside } = place();
    expect(await contextDirectory(inside)(join(inside, "src", "a b.ts"))).toBe("export const a = 1;\n");
  });

  test("through a directory that is itself a link", async () => {
    const { base, inside } = place();
    symlinkSync(inside, join(base, "alias"));
    expect(await contextDirectory(join(base, "alias"))("src/a b.ts")).toBe("export const a = 1;\n");
  });

  test("under its second name: a hard link is the file itself", async () => {
    const { inside } = place();
    linkSync(join(inside, "src", "a b.ts"), join(inside, "second.ts"));
    expect(await contextDirectory(inside)("second.ts")).toBe("export const a = 1;\n");
  });
});

/** Swaps a file or a folder with a link that leads out, as fast as it can, until it is killed. */
const swapping = (path: string, target: string, aside: string) => `
  const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
  for (;;) {
    renameSync(${JSON.stringify(path)}, ${JSON.stringify(aside)});
    symlinkSync(${JSON.stringify(target)}, ${JSON.stringify(path)});
    unlinkSync(${JSON.stringify(path)});
    renameSync(${JSON.stringify(aside)}, ${JSON.stringify(path)});
  }
`;

describe("C42: what is put in a file's place between the look and the reading is not read", () => {
  test.each([
    [
      "the file",
      (inside: string) => join(inside, "src", "a b.ts"),
      (base: string) => join(base, "outside.txt"),
    ],
    ["its folder", (inside: string) => join(inside, "src"), (base: string) => join(base, "trap")],
  ])("%s swapped with a link that leads out", async (_, pathIn, targetIn) => {
    const { base, inside } = place();
    mkdirSync(join(base, "trap"));
    writeFileSync(join(base, "trap", "a b.ts"), outsideWord);
    const script = swapping(pathIn(inside), targetIn(base), join(base, "aside"));
    const swapper = spawn(process.execPath, ["-e", script], { stdio: "ignore" });
    onTestFinished(() => void swapper.kill("SIGKILL"));
    const read = contextDirectory(inside);
    const seen = { read: 0, refused: 0 };

    for (let round = 0; round < 2_000; round += 1) {
      const text = await read("src/a b.ts").catch(() => null);
      if (text === null) seen.refused += 1;
      else {
        expect(text).toBe("export const a = 1;\n");
        seen.read += 1;
      }
    }

    expect(seen.read).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });
});

describe("C42: through the server", () => {
  test("a named file is sent, and a refused one costs nothing", async () => {
    const { inside } = place();
    const here = await world();
    const server = await here.server({
      env: { CLAIMCHECK_ENABLE_FILE_CONTEXT: "on", CLAIMCHECK_CONTEXT_DIR: inside },
    });
    const ask = (path: string) =>
      server.call("review_code", { question: "Good?", relevant_files: [{ path }] });

    for (const path of ["../outside.txt", "/proc/self/environ", ".env", "pipe", "big.log", "out.txt"]) {
      const told = refusal(await ask(path), "file_refused");
      expect(told["message"]).toContain(JSON.stringify(path));
      expect(told["next"]).toMatch(/Nothing was sent/);
    }
    expect(here.sim.ledger.posts).toBe(0);

    await ask("src/a b.ts");
    expect(JSON.stringify(sentTo(here))).toContain("export const a = 1;");
    expect(JSON.stringify(here.sim.ledger.requests)).not.toContain(outsideWord);
  });
});

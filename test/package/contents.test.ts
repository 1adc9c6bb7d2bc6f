/** What somebody downloads: only what is needed, in the shape that Node, bundlers and type checkers expect. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, expect, test } from "vitest";
import { pack, read, root } from "./tarball.ts";

const folder = mkdtempSync(join(tmpdir(), "claimcheck-pack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const packed = pack(folder);
const about = JSON.parse(read("package.json"));

test("is what is expected, file by file, and nothing else", () => {
  expect([...new Set(packed.files.map(({ path }) => folded(path)))].toSorted()).toEqual([
    ".env.example",
    "LICENSE",
    "README.md",
    "SPEC.md",
    "dist/NOTICES.txt",
    "dist/claimcheck.js",
    "dist/index.js",
    "dist/parts/*.js",
    "dist/types/machines/**/*.d.ts",
    "dist/types/src/**/*.d.ts",
    "machines/request.svg",
    "package.json",
  ]);
});

/** The bundle's parts are named by their content, the types after the sources. */
function folded(path: string): string {
  return path
    .replace(/^dist\/parts\/[\w-]+\.js$/, "dist/parts/*.js")
    .replace(/^(dist\/types\/(?:src|machines))\/[\w/.-]+\.d\.ts$/, "$1/**/*.d.ts");
}

test("takes less than a megabyte and a half to download", () => {
  expect(packed.size).toBeLessThan(1_500_000);
});

test("holds nothing of the machine it was packed on", () => {
  const listed = execFileSync("tar", ["-xzOf", packed.file], { maxBuffer: 64_000_000 }).toString("latin1");
  expect(listed).toContain(about.description);
  expect(listed).not.toContain(root);
});

test("is found well by everything that reads packages", async () => {
  const buffer = readFileSync(packed.file);
  const tarball = buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } });
  expect(messages.map((message) => formatMessage(message, pkg ?? {}))).toEqual([]);
});

test("may be published, to everybody, under the name that proves whose it is", () => {
  expect(about).not.toHaveProperty("private");
  expect(about).toMatchObject({
    name: "claimcheck",
    license: "MIT",
    mcpName: expect.stringMatching(/^io\.github\.[\w-]+\/claimcheck$/),
    publishConfig: { access: "public" },
  });
  expect(about.keywords).toEqual(expect.arrayContaining(["mcp", "mcp-server"]));
});

test("asks for three packages, each at one version", () => {
  expect(Object.keys(about.dependencies).toSorted()).toEqual(["better-sqlite3", "xstate", "zod"]);
  for (const version of Object.values(about.dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

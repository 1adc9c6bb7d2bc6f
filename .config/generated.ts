/** Writes generated files, or with `--check` says which ones are out of date. */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);

/** @param files content by path from the project's root */
export async function settle(files: Readonly<Record<string, string>>): Promise<void> {
  const check = process.argv.includes("--check");
  for (const [path, content] of Object.entries(files)) {
    if ((await present(path)) === content) continue;
    if (check) fail(path);
    else await writeFile(locate(path), content);
  }
}

/** The file as it is, or an empty string where there is none. */
export async function present(path: string): Promise<string> {
  return readFile(locate(path), "utf8").catch(() => "");
}

/** As the linter wants a file of this name to be laid out. */
export function formatted(path: string, content: string): string {
  const biome = fileURLToPath(locate("node_modules/@biomejs/biome/bin/biome"));
  return execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${path}`], {
    cwd: fileURLToPath(root),
    input: content,
    encoding: "utf8",
  });
}

function fail(path: string): void {
  const [, script = ""] = process.argv;
  console.error(`${path} is out of date. Run: npx tsx ${script.slice(fileURLToPath(root).length)}`);
  process.exitCode = 1;
}

const locate = (path: string) => new URL(path, root);

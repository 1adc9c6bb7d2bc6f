/** What the licences of bundled packages ask for: their names, versions and texts beside the bundle. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const packageSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

/** @param inputs the bundle's source files, relative to the project */
export function noticesOf(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((file) => packageFolder(file) ?? []));
  return [...folders].sort().map(noticeOf).join("\n");
}

/** The folder of the innermost package a file belongs to; null for our own. */
function packageFolder(file: string): string | null {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;
}

function noticeOf(folder: string): string {
  const about = packageSchema.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const texts = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  const said = texts.map((name) => readFileSync(join(folder, name), "utf8").trim());
  return [`${about.name} ${about.version} (${about.license})`, ...said, ""].join("\n\n");
}

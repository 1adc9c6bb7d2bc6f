/** A change of one source file's text, made in memory only. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Patch {
  /** From the project's root. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
}

export function sourceOf(file: string): string {
  return readFileSync(`${root}${file}`, "utf8");
}

/** @throws {Error} when the text to replace is not there exactly once, so that no mutant silently changes nothing */
export function patched(source: string, { file, find, replace }: Patch): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`the text to replace occurs ${source.split(find).length - 1} times in ${file}`);
  return `${before}${replace}${after}`;
}

/** Fenced blocks of Markdown, line by line (CommonMark 0.31, §4.5). */

/** The fence that is open behind `line`, where `open` was before it; null where none is. */
export function fenceAfter(line: string, open: string | null): string | null {
  const [, fence, info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  if (fence === undefined) return open;
  if (open === null) return fence.startsWith("`") && info.includes("`") ? null : fence;
  return fence.startsWith(open) && info.trim() === "" ? null : open;
}

/** The lines of a block of Markdown that an answer was put in, whole or behind some words; null where there is none. */
export function unwrapped(lines: readonly string[]): string[] | null {
  const begin = lines.findIndex((line) => fenceAfter(line, null) !== null);
  const opening = lines[begin] ?? "";
  const fence = fenceAfter(opening, null);
  if (fence === null || !/^ *[`~]+ *(?:markdown|md|text)? *$/i.test(opening)) return null;
  const end = lines.findLastIndex((line, index) => index > begin && fenceAfter(line, fence) === null);
  return lines.slice(begin + 1, end < 0 ? lines.length : end);
}

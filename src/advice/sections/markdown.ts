/** Text under headings: `## Key Concerns`, `**Key Concerns**`, `3. Key Concerns:` or `Key Concerns: …`. */
import type { Part } from "./json.ts";

/** Longest line that can be a heading; text that begins on the same line goes after the colon. */
const longestHeading = 80;

/**
 * The parts that stand under headings of these names, in order. Any other heading belongs to the part it stands in:
 * models make up headings of their own inside a section.
 *
 * @param names as `nameOf` gives them
 */
export function headedParts(answer: string, names: readonly string[]): Part[] {
  const parts: { name: string; lines: string[] }[] = [];
  let fence: string | null = null;
  for (const line of answer.split(/\r?\n/)) {
    const heading: Heading | null = fence === null ? headingIn(line, names) : null;
    fence = fenceAfter(line, fence);
    if (heading !== null) parts.push({ name: heading.name, lines: [heading.rest] });
    else parts.at(-1)?.lines.push(line);
  }
  return merged(parts);
}

interface Heading {
  name: string;
  /** What already follows on the same line. */
  rest: string;
}

function headingIn(line: string, names: readonly string[]): Heading | null {
  const text = line.trim();
  const colon = text.indexOf(":");
  const label = colon >= 0 ? text.slice(0, colon) : text;
  if (label.length > longestHeading) return null;
  const name = bare(label);
  if (!names.includes(name)) return null;
  if (colon < 0 && !isMarked(text) && text.includes(".")) return null;
  return { name, rest: colon >= 0 ? text.slice(colon + 1).replace(/^[*_ ]+/, "") : "" };
}

const isMarked = (text: string) => /^(#|\*\*|__|\d)/.test(text);

/** Without signs, numbers and what stands in brackets: `## 5. Confidence (Low/Medium/High)`. */
const bare = (label: string) =>
  label
    .replace(/\([^)]*\)/g, "")
    .toLowerCase()
    .replace(/[^a-z]/g, "");

function fenceAfter(line: string, open: string | null): string | null {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  if (fence === undefined) return open;
  if (open === null) return fence;
  return fence.startsWith(open) && line.trim() === fence ? null : open;
}

/** A section that comes twice is one section. */
function merged(parts: readonly { name: string; lines: readonly string[] }[]): Part[] {
  const texts = new Map<string, string>();
  for (const { name, lines } of parts) {
    const text = lines.join("\n").trim();
    const before = texts.get(name);
    texts.set(name, before === undefined || before === "" ? text : `${before}\n${text}`);
  }
  return [...texts].map(([name, value]) => ({ name, value }));
}

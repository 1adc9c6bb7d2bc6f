/** Text under headings. */
import { fenceAfter, unwrapped } from "./fences.ts";
import { type Heading, headingIn } from "./headings.ts";
import type { Part } from "./name.ts";

/**
 * The parts that stand under headings of these names, in order. Any other heading belongs to the part it stands in:
 * models make up headings of their own inside a section.
 *
 * @param names as `nameOf` gives them
 */
export function headedParts(answer: string, names: readonly string[]): Part[] {
  const lines = answer.split(/\r?\n/);
  const parts = partsIn(lines, names);
  return parts.length > 0 ? parts : partsIn(unwrapped(lines) ?? [], names);
}

interface Headed {
  name: string;
  lines: string[];
}

function partsIn(lines: readonly string[], names: readonly string[]): Part[] {
  const parts: Headed[] = [];
  let fence: string | null = null;
  let first: Heading | null = null;
  for (const line of lines) {
    const heading: Heading | null = fence === null ? headingIn(line, names) : null;
    fence = fenceAfter(line, fence);
    if (heading !== null && isOfForm(heading, first)) {
      first ??= heading;
      parts.push({ name: heading.name, lines: [heading.rest] });
    } else parts.at(-1)?.lines.push(line);
  }
  return merged(parts);
}

/** Items name sections only where the answer is one list of them; under other headings they are what is said. */
const isOfForm = ({ item }: Heading, first: Heading | null) =>
  item === null || first === null || item === first.item;

/** A section that comes twice is one section. */
function merged(parts: readonly Headed[]): Part[] {
  const texts = new Map<string, string>();
  for (const { name, lines } of parts) {
    const text = said(lines);
    const before = texts.get(name);
    texts.set(name, before === undefined || before === "" ? text : `${before}\n${text}`);
  }
  return [...texts].map(([name, value]) => ({ name, value }));
}

/** Without the lines that models draw under headings and between sections. */
function said([rest = "", ...lines]: readonly string[]): string {
  const under = rest === "" && isDrawn(lines[0] ?? "") ? lines.slice(1) : lines;
  const end = under.findLastIndex((line) => line.trim() !== "" && !isDrawn(line));
  return [rest, ...under.slice(0, end + 1)].join("\n").trim();
}

const isDrawn = (line: string) => /^(?:={3,}|-{3,}|\*{3,}|_{3,})$/.test(line.replace(/[ \t]/g, ""));

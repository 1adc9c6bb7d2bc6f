/**
 * Lines that name a section: `## Key Concerns`, `**Key Concerns**`, `3. Key Concerns:`, `- **Key Concerns** — text` or
 * `Key Concerns: text`. Whatever else a model says in front of a colon names nothing.
 */
import { nameOf } from "./name.ts";

export interface Heading {
  name: string;
  /** What already follows on the same line. */
  rest: string;
  /** The indent and sign of a list's item that is a heading; null for any other. */
  item: string | null;
}

/** Longest beginning of a line that can name a section. */
const longest = 120;

/** @param names as `nameOf` gives them */
export function headingIn(line: string, names: readonly string[]): Heading | null {
  const [, indent = "", marks = "", words = ""] =
    /^( {0,3})(?=\S)(#{1,6}[ \t]*|(?:[-*+•>]|\d{1,2}[.)])[ \t]+)?(.*)$/.exec(line) ?? [];
  const { label, rest } = parted(words.trim());
  const name = nameOf(withoutBrackets(label));
  if (!names.includes(name) || !isLabel(label, marks.startsWith("#"))) return null;
  return { name, rest, item: itemSign(indent, marks) };
}

/** Of an item all that its neighbours share: every number is as good as any other. */
function itemSign(indent: string, marks: string): string | null {
  const sign = marks.trim();
  if (sign === "" || sign.startsWith("#") || sign === ">") return null;
  return indent + sign.replace(/\d+/, "1");
}

interface Parted {
  label: string;
  rest: string;
}

/** A label ends with its bold print, with a colon, or with a dash. */
function parted(words: string): Parted {
  const [bold, , label] = /^(\*\*|__|[*_])(.{1,120}?)\1/.exec(words) ?? [];
  if (bold === undefined || label === undefined) return atSign(words);
  const inside = atSign(label);
  const after = words.slice(bold.length);
  if (inside.label === label && !endsLabel.test(after)) return { label: words, rest: "" };
  return { label: inside.label, rest: [inside.rest, withoutSign(after)].filter(Boolean).join(" ") };
}

/** Nothing, a sign, or a new sentence: `**Confidence** High`, but not `**Confidence** intervals`. */
const endsLabel = /^\s*(?:$|[:：—–-])|^\s+(?![a-z])/;

function atSign(words: string): Parted {
  const end = blanked(words.slice(0, longest)).search(/[:：—–]| - /);
  if (end < 0) return { label: words, rest: "" };
  return { label: words.slice(0, end), rest: withoutSign(words.slice(end)) };
}

const withoutSign = (text: string) => text.replace(/^\s*(?:[:：—–]|-(?=\s))?\s*/, "");

/** With brackets and what stands in them as spaces: a colon in there ends no label. */
const blanked = (text: string) => text.replace(/\([^()]*\)/g, (brackets) => " ".repeat(brackets.length));

const withoutBrackets = (text: string) => blanked(text.slice(0, longest));

/** Letters of a name and signs that dress it; in a heading of its own also the name in another language. */
function isLabel(label: string, isHeading: boolean): boolean {
  if (label.length > longest) return false;
  const bare = withoutBrackets(label);
  if (/["'{}[\]|\\<>=;,!?]/.test(bare)) return false;
  return isHeading || !/(?![A-Za-z])\p{L}|(?<!\d)\.(?!\d)/u.test(bare);
}

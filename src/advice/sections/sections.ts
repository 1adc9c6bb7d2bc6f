/**
 * An opinion's answer as fields. Models keep to a form more or less, so it is read with patience: JSON, bare or in a
 * fence or amid prose, or Markdown under headings of whatever kind. What cannot be read stays text; nothing throws.
 */
import type { Opinion, Section } from "../opinions.ts";
import { confidences } from "./format.ts";
import { membersIn } from "./json.ts";
import { headedParts } from "./markdown.ts";

/** By section key: texts, lists of texts, and for confidence one of Low, Medium, High. */
export type Sections = Readonly<Record<string, string | readonly string[]>>;

/** What an answer says, section by section; null where no section was found. Sections left empty are left out. */
export function sectionsOf({ sections }: Opinion, answer: string): Sections | null {
  const parts = membersIn(answer) ?? headedParts(answer, sections.map(({ heading }) => heading).map(nameOf));
  const found = new Map(parts.map(({ name, value }) => [nameOf(name), value]));
  const read = sections.flatMap((section) => {
    const value = readAs(section, found.get(nameOf(section.heading)));
    return value === undefined ? [] : [[section.key, value] as const];
  });
  return read.length === 0 ? null : Object.fromEntries(read);
}

/** `Key Concerns`, `key_concerns` and `keyConcerns` are one name. */
export const nameOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");

function readAs({ kind }: Section, value: unknown): string | readonly string[] | undefined {
  switch (kind) {
    case "list":
      return filled(itemsOf(value));
    case "confidence":
      return confidenceIn(textOf(value));
    case "text":
      return textOf(value) || undefined;
  }
}

const filled = (items: readonly string[]) => (items.length === 0 ? undefined : items);

function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join("\n");
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return value === null || value === undefined ? "" : String(value);
}

function itemsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean);
  return itemsIn(textOf(value));
}

const bullet = /^( {0,8})(?:[-*+•]|\d{1,3}[.)]) +/;

/** Items of a list; a text without bullets is one item, or one a paragraph. What is indented belongs to its item. */
function itemsIn(text: string): string[] {
  const lines = text.split("\n");
  const indent = lines.map((line) => bullet.exec(line)?.[1]?.length).find((length) => length !== undefined);
  if (indent === undefined) {
    return text
      .split(/\n[ \t]*\n/)
      .map((paragraph) => paragraph.trim())
      .filter(Boolean);
  }
  const items: string[][] = [];
  for (const line of lines) {
    const current = items.at(-1);
    const itsIndent = bullet.exec(line)?.[1]?.length;
    if (itsIndent !== undefined && itsIndent <= indent + 1) items.push([line.replace(bullet, "")]);
    else if (current === undefined) items.push([line]);
    else current.push(line);
  }
  return items.map((item) => item.join("\n").trim()).filter(Boolean);
}

/** The first of the three words that stands there; a percentage or a sentence without one tells nothing for sure. */
function confidenceIn(text: string): string | undefined {
  const word = /\b(low|medium|moderate|high)\b/i.exec(text.slice(0, 200))?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  return confidences.find(
    (confidence) => confidence.toLowerCase() === (word === "moderate" ? "medium" : word),
  );
}

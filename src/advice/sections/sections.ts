/**
 * An opinion's answer as fields. Models keep to a form more or less, so it is read with patience: JSON, bare or in a
 * fence or amid prose, or Markdown under headings of whatever kind. What cannot be read stays text; nothing throws.
 */
import type { Opinion, Section } from "../opinions.ts";
import { confidences } from "./format.ts";
import { itemsIn } from "./items.ts";
import { membersIn } from "./json.ts";
import { headedParts } from "./markdown.ts";
import { nameOf, type Part } from "./name.ts";

/** By section key: texts, lists of texts, and for confidence one of Low, Medium, High. */
export type Sections = Readonly<Record<string, string | readonly string[]>>;

/** What an answer says, section by section; null where no section was found. Sections left empty are left out. */
export function sectionsOf({ sections }: Opinion, answer: string): Sections | null {
  const names = sections.map(({ heading }) => nameOf(heading));
  const inJson = readFrom(sections, membersIn(answer, names));
  const underHeadings = readFrom(sections, headedParts(answer, names));
  // An answer in one form may hold an example of the other: what says more is the answer.
  const read = sizeOf(underHeadings) > sizeOf(inJson) ? underHeadings : inJson;
  return sizeOf(read) === 0 ? null : read;
}

const sizeOf = (sections: Sections) => Object.keys(sections).length;

function readFrom(sections: readonly Section[], parts: readonly Part[]): Sections {
  const found = new Map(parts.map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    sections.flatMap((section) => {
      const value = readAs(section, found.get(nameOf(section.heading)));
      return value === undefined ? [] : [[section.key, value] as const];
    }),
  );
}

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
  if (typeof value === "object" && value !== null) return Object.entries(value).flatMap(itemsUnder);
  return itemsIn(textOf(value));
}

/** `{"high": ["no lock"]}` is an item about what is high. */
const itemsUnder = ([name, value]: [string, unknown]) => itemsOf(value).map((item) => `${name}: ${item}`);

const levels = /(\*\*|__)?\b(low|medium|moderate|high)\b/gi;

/**
 * The first of the three words that stands there, or the one in bold print where all three do; a percentage or a
 * sentence without one tells nothing for sure.
 */
function confidenceIn(text: string): string | undefined {
  const told = [...text.slice(0, 200).matchAll(levels)].map(([, bold, word = ""]) => ({
    isBold: bold !== undefined,
    level: levelOf(word),
  }));
  const isChoice = new Set(told.map(({ level }) => level)).size === confidences.length;
  return told.find(({ isBold }) => isBold || !isChoice)?.level;
}

function levelOf(word: string) {
  const level = word.toLowerCase() === "moderate" ? "medium" : word.toLowerCase();
  return confidences.find((confidence) => confidence.toLowerCase() === level);
}

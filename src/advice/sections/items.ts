/** Items of a text that should be a list. */
import { fenceAfter } from "./fences.ts";

/** One item as its lines, with the heading that it stands under: `### High` and below it `- no lock`. */
interface Item {
  under: string | null;
  lines: string[];
}

const bullet = /^( {0,8})([-*+•–]|\d{1,3}[.)])[ \t]+/;

/**
 * Bullets are items, and so are paragraphs. What is indented belongs to its item, what stands in a fence to the one
 * before it, and a heading inside to every item below it.
 */
export function itemsIn(text: string): string[] {
  const items: Item[] = [];
  const first = firstBullet(text);
  let fence: string | null = null;
  let under: string | null = null;
  let afterBlank = true;
  for (const line of text.split("\n")) {
    const heading: string | null = fence === null ? headingOf(line) : null;
    const begins: boolean =
      fence === null && (isItem(line, first) || (afterBlank && isParagraph(line))) && !isFence(line);
    if (heading !== null) {
      under = heading;
      items.push({ under, lines: [] });
    } else if (begins || items.length === 0) items.push({ under, lines: [line.replace(bullet, "")] });
    else items.at(-1)?.lines.push(line);
    fence = fenceAfter(line.trim(), fence);
    afterBlank = line.trim() === "";
  }
  return told(items);
}

interface Bullet {
  indent: number;
  isNumber: boolean;
}

function firstBullet(text: string): Bullet | null {
  for (const line of text.split("\n")) {
    const found = bulletOf(line);
    if (found !== null) return found;
  }
  return null;
}

function bulletOf(line: string): Bullet | null {
  const [, indent, sign] = bullet.exec(line) ?? [];
  return indent === undefined ? null : { indent: indent.length, isNumber: /\d/.test(sign ?? "") };
}

/** Bullets under a number are its own, indented or not. */
function isItem(line: string, first: Bullet | null): boolean {
  const found = bulletOf(line);
  if (found === null || first === null) return false;
  return found.indent <= first.indent + 1 && (found.isNumber || !first.isNumber);
}

/** What is not set off belongs to nothing before it. */
const isParagraph = (line: string) => /^\S/.test(line) && bulletOf(line) === null;

const isFence = (line: string) => fenceAfter(line, null) !== null;

/** Longer lines are sentences. */
const longestHeading = 120;

/** `### High`, or a line all in bold print that is no sentence. */
function headingOf(line: string): string | null {
  if (line.length > longestHeading) return null;
  const [, title, bold] = /^(?:#{1,6}[ \t]+(.+)|(?:\*\*|__)([^*_]+)(?:\*\*|__):?[ \t]*)$/.exec(line) ?? [];
  const label = (title ?? bold ?? "").replace(/[*_:# ]+$/, "").replace(/^[*_ ]+/, "");
  return label === "" || /[.!?]$/.test(label) ? null : label;
}

/** A heading with nothing below it is all that was said there. */
function told(items: readonly Item[]): string[] {
  return items.flatMap(({ under, lines }, index) => {
    const text = lines.join("\n").trim();
    if (text !== "") return [under === null ? text : `${under}: ${text}`];
    const isAlone = items[index + 1]?.under !== under;
    return under !== null && isAlone ? [under] : [];
  });
}

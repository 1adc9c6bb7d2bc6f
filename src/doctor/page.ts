/** What was found, for a terminal: one glyph a line in a column of its own, and a last line that says what to do. */
import type { RailStyle, Tone } from "../chart/rail.ts";
import { type Check, checkNames, isHealthy } from "./check.ts";
import { counted, listed } from "./words.ts";

const marks = {
  ok: { glyph: "●", ascii: "*", tone: "good" },
  warn: { glyph: "▲", ascii: "!", tone: "busy" },
  fail: { glyph: "✕", ascii: "x", tone: "bad" },
  skip: { glyph: "○", ascii: "-", tone: "dim" },
} as const satisfies Record<Check["verdict"], { glyph: string; ascii: string; tone: Tone }>;

const nameWidth = Math.max(...checkNames.map((name) => name.length));
/** Margin, glyph, name, and a space after each of the last two. */
const indent = " ".repeat(2 + 1 + 1 + nameWidth + 2);

/** @returns one string a line, none longer than `style.width` columns before painting but for what is to be copied */
export function pageOf(checks: readonly Check[], style: RailStyle): string[] {
  return checks.flatMap((check) => entry(check, style));
}

function entry({ name, verdict, says, next }: Check, style: RailStyle): string[] {
  const { glyph, ascii, tone } = marks[verdict];
  const [first = "", ...rest] = wrapped(says, style, style.width - indent.length);
  const text = (line: string) => (verdict === "skip" ? style.paint("dim", line) : line);
  return [
    `  ${style.paint(tone, style.ascii ? ascii : glyph)} ${name.padEnd(nameWidth + 2)}${text(first)}`,
    ...rest.map((line) => `${indent}${text(line)}`),
    ...(next === undefined ? [] : adviceLines(next, tone, style)),
  ];
}

/** The first line is a sentence; those after it are there to be copied, so they stand whole and far to the left. */
function adviceLines(next: string, tone: Tone, style: RailStyle): string[] {
  const [sentence = "", ...copies] = next.split("\n");
  const arrow = style.ascii ? "> " : "→ ";
  const lines = wrapped(sentence, style, style.width - indent.length - arrow.length);
  return [
    ...lines.map((line, index) => `${indent}${style.paint(tone, index === 0 ? arrow : "  ")}${line}`),
    ...copies.map((line) => `    ${line}`),
  ];
}

/** Words longer than a line, such as paths, are left whole. */
export function wrapped(given: string, { ascii }: RailStyle, width: number): string[] {
  const text = ascii ? given.replaceAll("…", "...") : given;
  return text.split("\n").flatMap((line) => wrappedLine(line, width));
}

function wrappedLine(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** The last line: how it stands, and what to do. */
export function conclusion(checks: readonly Check[], online: boolean): string {
  const bad = checks.filter(({ verdict }) => verdict === "fail").map(({ name }) => name);
  const doubtful = checks.filter(({ verdict }) => verdict === "warn").map(({ name }) => name);
  if (!isHealthy(checks)) return `Not healthy: put right ${listed(bad)}, then run claimcheck doctor again.`;
  const warned =
    doubtful.length === 0 ? "" : `, with ${counted(doubtful.length, "warning")} (${listed(doubtful)})`;
  return `Healthy${warned}.${online ? "" : " claimcheck doctor --online asks upstream too, at no cost."}`;
}

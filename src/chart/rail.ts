/**
 * A request's journal as a rail for the terminal: stations are states, what happened stands between them with the
 * time it took. Pure: rows in, lines out.
 */
import { stateCards } from "../../machines/states.ts";
import type { JournalView } from "../contract/views.ts";

/** What a piece of a line is, for whoever colours it. */
export type Tone = "plain" | "good" | "bad" | "busy" | "dim";

export interface RailStyle {
  /** Columns to stay within, at least 60. */
  width: number;
  /** Plain ASCII only. */
  ascii: boolean;
  paint(tone: Tone, text: string): string;
}

const railMarks = { line: "│", station: "─", note: "┆", handover: "╪", bar: "━" };
const asciiMarks = { line: "|", station: "-", note: ":", handover: "#", bar: "=" };

const labelWidth = 42;
const timeWidth = 11;

/**
 * @param journal rows of one request, ascending by (seq, note)
 * @returns one string a line, none longer than `style.width` columns before painting
 */
export function rail(journal: readonly JournalView[], style: RailStyle): string[] {
  const [first, ...rest] = journal;
  if (first === undefined) return [];
  const longest = Math.max(0, ...gapsOf(journal));
  const lines = [station(first, style, `${first.at.slice(11, 23)}Z  process ${first.process}`)];
  let before = first;
  for (const row of rest) {
    lines.push(...step(before, row, longest, style));
    if (row.note === 0) before = row;
  }
  return lines;
}

function step(before: JournalView, row: JournalView, longest: number, style: RailStyle): string[] {
  const { paint } = style;
  const marks = marksOf(style);
  if (row.note > 0)
    return [paint("dim", padded(`${marks.note}  note: ${labelOf(row)}`, gapBetween(before, row)))];
  const gap = gapBetween(before, row);
  const label = padded(`${marks.line}  ${labelOf(row)}`, gap);
  const handover =
    row.process === before.process
      ? []
      : [paint("busy", cut(`${marks.handover}  another process: ${row.process}`, style.width))];
  const arrived = row.state === before.state ? [] : [station(row, style, "")];
  return [...handover, `${label}  ${paint("dim", barOf(gap, longest, style))}`.trimEnd(), ...arrived];
}

function station(row: JournalView, style: RailStyle, aside: string): string {
  const card = stateCards[row.state];
  const glyph = style.ascii ? card.ascii : card.glyph;
  const name = `${glyph}${marksOf(style).station} ${row.state}`;
  const named = style.paint(toneOf(row), name);
  if (aside === "") return named;
  const column = Math.min(labelWidth + 2, style.width - aside.length);
  return `${named}${" ".repeat(Math.max(2, column - name.length))}${style.paint("dim", aside)}`;
}

function padded(label: string, gap: number): string {
  return `${cut(label, labelWidth).padEnd(labelWidth)}${`+${duration(gap)}`.padStart(timeWidth)}`;
}

/** The event, and the one fact of its payload that says most about it. */
function labelOf({ event, payload }: JournalView): string {
  const failure = payload["failure"];
  const code =
    typeof failure === "object" && failure !== null && "code" in failure ? failure.code : undefined;
  const facts = [code, payload["cause"], payload["status"], payload["reason"]];
  const fact = facts.find((value) => typeof value === "string" || typeof value === "number");
  return fact === undefined ? event : `${event} (${fact})`;
}

function barOf(gap: number, longest: number, style: RailStyle): string {
  const room = Math.max(4, Math.min(24, style.width - labelWidth - timeWidth - 3));
  const cells = longest === 0 ? 0 : Math.ceil((gap / longest) * room);
  return marksOf(style).bar.repeat(cells);
}

function gapsOf(journal: readonly JournalView[]): number[] {
  const events = journal.filter(({ note }) => note === 0);
  return events.slice(1).map((row, index) => gapBetween(events[index] ?? row, row));
}

/** Clocks of two processes may disagree by a little; time never runs backwards on the rail. */
function gapBetween(before: JournalView, row: JournalView): number {
  return Math.max(0, Date.parse(row.at) - Date.parse(before.at));
}

/** Milliseconds for people: `12 ms`, `1.2 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3_600)} h`;
}

export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 3)}...`;
}

export function toneOf({ state }: Pick<JournalView, "state">): Tone {
  const { phase } = stateCards[state];
  if (phase === "live") return "busy";
  if (phase === "unresolved") return "bad";
  return state === "completed" ? "good" : state === "failed" ? "bad" : "plain";
}

const marksOf = ({ ascii }: RailStyle) => (ascii ? asciiMarks : railMarks);

/** The demo in print: acts, the journal of one request, and the count. Pure. */
import { stateCards } from "../../../machines/states.ts";
import { type RailStyle, rail, toneOf } from "../../chart/rail.ts";
import type { JournalView } from "../../contract/views.ts";
import type { Act, Beat } from "./acts.ts";

export const preface = `claimcheck demo: real server processes, a real MCP client, and a scripted
upstream on this machine. Nothing leaves it, and nothing is paid for.`;

export function actPage(act: Act, number: number, style: RailStyle): string {
  const mark = act.held ? "" : `  ${style.paint("bad", "this did not hold")}`;
  return ["", `${number}  ${act.title}${mark}`, ...act.beats.map((beat) => beatLine(beat, style))].join("\n");
}

function beatLine(beat: Beat, style: RailStyle): string {
  if (beat.kind === "does") return `   ${style.paint("dim", `> ${beat.says}`)}`;
  if (beat.kind === "quote") return `     ${style.paint("dim", `"${beat.says}"`)}`;
  const card = stateCards[beat.state];
  const state = `${style.ascii ? card.ascii : card.glyph} ${beat.state}`;
  return `   ${style.paint(toneOf(beat), state)}  ${beat.says}`;
}

export function journalPage(id: string, journal: readonly JournalView[], style: RailStyle): string {
  const indented = { ...style, width: style.width - 3 };
  const lines = rail(journal, indented).map((line) => `   ${line}`);
  return ["", `What happened to the killed one, ${id}`, "", ...lines].join("\n");
}

export interface Count {
  id: string;
  name: string;
  posts: number;
}

export function countPage(counts: readonly Count[], style: RailStyle): string {
  const rows = counts.map(({ id, name, posts }) => {
    const figure = style.paint(posts === 1 ? "good" : "bad", String(posts).padStart(5));
    return `   ${id}  ${name.padEnd(28)}${figure}`;
  });
  const head = style.paint("dim", `   ${"request".padEnd(38)}${"".padEnd(28)}posts`);
  return ["", "Generations paid for", "", head, ...rows].join("\n");
}

export function verdict(held: boolean, style: RailStyle): string {
  const words = held
    ? style.paint("good", "Every answer is here or accounted for, and each request was sent exactly once.")
    : style.paint("bad", "Something did not hold; please report what is above.");
  return `\n${words}\n`;
}

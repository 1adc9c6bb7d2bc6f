/**
 * What is known of second opinions, in figures: `npm run test:opinions`. Exits with 1 on any miss or false positive,
 * and where four times the text takes more than ten times as long.
 */
import { redact } from "../../src/advice/redaction/redact.ts";
import { adversaries, filledWith } from "./adversaries.ts";
import { innocentSamples } from "./corpus/innocent.ts";
import { holding, ownFiles } from "./corpus/own-files.ts";
import { secretSamples } from "./corpus/secrets.ts";

const MiB = 1_024 * 1_024;

let faults = 0;

const missed = secretSamples.filter(({ text, secrets }) =>
  secrets.some((secret) => redact(text).text.includes(secret)),
);
const touched = innocentSamples.filter(({ text }) => redact(text).text !== text);
const own = ownFiles();
const touchedFiles = own.filter(
  ({ path, text }) => holding[path] === undefined && redact(text).text !== text,
);

row("", "samples", "wrong");
row("secrets that must go", secretSamples.length, missed.length);
row("innocent texts that must stay", innocentSamples.length, touched.length);
row("this project's own files", own.length - Object.keys(holding).length, touchedFiles.length);
for (const { name } of missed) say(`missed: ${name}`);
for (const { kind, text } of touched) say(`touched: ${kind}: ${text.slice(0, 60)}`);
for (const { path } of touchedFiles) say(`touched: ${path}`);

say("");
row("found in the secrets, by kind", "");
const kinds = secretSamples.map(({ text }) => redact(text).counts);
for (const kind of new Set(kinds.flatMap(Object.keys))) {
  row(
    `  ${kind}`,
    kinds.reduce((sum, counts) => sum + (Object.entries(counts).find(([k]) => k === kind)?.[1] ?? 0), 0),
  );
}

say("");
const text = own.map((file) => file.text).join("\n");
row("own files, ms per MiB", Math.round(msFor(text) / (text.length / MiB)));
const slow = adversaries.map((piece) => {
  const [whole, quarter] = [msFor(filledWith(piece, MiB)), msFor(filledWith(piece, MiB / 4))];
  return { piece, whole, ratio: whole / Math.max(quarter, 1) };
});
const slowest = slow.toSorted((a, b) => b.whole - a.whole).slice(0, 3);
row(`worst of ${adversaries.length} adversaries, ms per MiB`, "ms", "x for 4x");
for (const { piece, whole, ratio } of slowest)
  row(`  ${JSON.stringify(piece)}`, Math.round(whole), ratio.toFixed(1));

faults = missed.length + touched.length + touchedFiles.length + slow.filter(({ ratio }) => ratio > 10).length;
say("");
say(faults === 0 ? "No misses, no false positives." : `${faults} wrong.`);
process.exitCode = faults === 0 ? 0 : 1;

function msFor(given: string): number {
  const begun = performance.now();
  redact(given);
  return performance.now() - begun;
}

function row(name: string, ...figures: (string | number)[]): void {
  say(name.slice(0, 44).padEnd(44) + figures.map((figure) => String(figure).padStart(10)).join(""));
}

function say(line: string): void {
  console.log(line);
}

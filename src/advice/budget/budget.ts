/**
 * Fitting material into what may be sent. Trimmed in this order, and only as far as needed: repeated log lines, long
 * files, general context, what is said of the project, preferences. The question, the task, the constraints and the
 * output expected never. What was trimmed is said. Pure.
 */
import { ClaimcheckError } from "../../contract/errors.ts";
import { type Policy, policyKnobs } from "../../contract/policy.ts";
import { charsOf, type Material, type SourceFile } from "../material.ts";
import { cutMiddle } from "./cut.ts";
import { foldRepeats } from "./repeats.ts";

export type Limits = Pick<Policy, "maxInputChars" | "maxFileChars" | "maxFiles" | "maxLogChars">;

export interface Fitted {
  material: Material;
  /** What was left out, in words; empty where nothing was. */
  trimmed: string[];
  /** UTF-16 units of all texts that go. */
  chars: number;
}

/** Less than this says nothing any more. */
const least = { file: 1_500, context: 500, projectSummary: 200, project: 200, preferences: 200 } as const;

/** Code is understood from its beginning; a log from its end. */
const headShare = { file: 0.7, log: 0.3, prose: 0.8 } as const;

/** One way to make material smaller; gives back what it did in words. */
type Trim = (material: Material, limits: Limits) => { material: Material; says: string[] };

/** What every part is held to, whether the whole fits or not. */
const partLimits: readonly Trim[] = [foldLongLogs, cutLongLogs, cutLongFiles];
/** What is done, one after the other, until the whole fits. */
const wholeLimits: readonly Trim[] = [
  foldLogs,
  shrinkFiles,
  shrinkText("context"),
  shrinkText("projectSummary"),
  shrinkText("project"),
  shrinkText("preferences"),
];

/** @throws {ClaimcheckError} `input_too_large` where it cannot be made to fit, saying what to narrow */
export function withinBudget(given: Material, limits: Limits): Fitted {
  checkFiles(given, limits);
  const fitted = wholeLimits.reduce(
    (so, trim) => (charsOf(so.material) <= limits.maxInputChars ? so : after(so, trim, limits)),
    partLimits.reduce((so, trim) => after(so, trim, limits), { material: given, trimmed: [] as string[] }),
  );
  const chars = charsOf(fitted.material);
  if (chars > limits.maxInputChars) throw tooLarge(chars, limits);
  return { ...fitted, chars };
}

function after(so: Pick<Fitted, "material" | "trimmed">, trim: Trim, limits: Limits) {
  const { material, says } = trim(so.material, limits);
  return { material, trimmed: [...so.trimmed, ...says] };
}

function foldLongLogs(material: Material, limits: Limits) {
  const tooLong = (material.logs?.length ?? 0) > limits.maxLogChars;
  return tooLong ? foldLogs(material) : { material, says: [] };
}

function foldLogs(material: Material) {
  const { text, folded } = foldRepeats(material.logs ?? "");
  return folded === 0
    ? { material, says: [] }
    : { material: { ...material, logs: text }, says: [`logs: ${folded} repeated lines left out`] };
}

function cutLongLogs(material: Material, { maxLogChars }: Limits) {
  const { logs } = material;
  if (logs === null || logs.length <= maxLogChars) return { material, says: [] };
  const cut = cutMiddle(logs, maxLogChars, headShare.log);
  return { material: { ...material, logs: cut }, says: [said("logs", logs, cut)] };
}

function cutLongFiles(material: Material, { maxFileChars }: Limits) {
  return cutFiles(material, () => maxFileChars);
}

/** The longest give most: all are cut to one length, found so that the whole fits. */
function shrinkFiles(material: Material, { maxInputChars }: Limits) {
  const lengths = material.files.map(({ content }) => content.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const level = levelFor(lengths, total - (charsOf(material) - maxInputChars));
  return cutFiles(material, () => Math.max(level, least.file));
}

/** The length to cut to, so that what is left of `lengths` is at most `room`. */
function levelFor(lengths: readonly number[], room: number): number {
  let left = Math.max(0, room);
  let others = lengths.length;
  for (const length of lengths.toSorted((a, b) => a - b)) {
    const share = Math.floor(left / others);
    if (length > share) return share;
    left -= length;
    others -= 1;
  }
  return Number.POSITIVE_INFINITY;
}

function cutFiles(material: Material, maxFor: (file: SourceFile) => number) {
  const files = material.files.map((file) => ({
    ...file,
    content: cutMiddle(file.content, maxFor(file), headShare.file),
  }));
  const says = files.flatMap(({ path, content }, index) => {
    const before = material.files[index]?.content ?? content;
    return before === content ? [] : [said(path, before, content)];
  });
  return says.length === 0 ? { material, says } : { material: { ...material, files }, says };
}

function shrinkText(part: Exclude<keyof typeof least, "file">): Trim {
  return (material, { maxInputChars }) => {
    const text = material[part];
    if (text === null) return { material, says: [] };
    const over = charsOf(material) - maxInputChars;
    const cut = cutMiddle(text, Math.max(least[part], text.length - over), headShare.prose);
    if (cut.length >= text.length) return { material, says: [] };
    return { material: { ...material, [part]: cut }, says: [said(names[part], text, cut)] };
  };
}

const names = {
  context: "context",
  projectSummary: "project_summary",
  project: "the project's file",
  preferences: "the preferences' file",
} as const;

const said = (what: string, before: string, now: string) =>
  `${what}: cut from ${before.length} to ${now.length} characters`;

function checkFiles({ files }: Material, { maxFiles }: Limits): void {
  if (files.length <= maxFiles) return;
  throw new ClaimcheckError(
    "input_too_large",
    `relevant_files has ${files.length} files, the limit is ${maxFiles} (${policyKnobs.maxFiles.env}). Send only the ones that the question is about, or the diff instead of the files.`,
    {
      details: {
        fields: ["relevant_files"],
        files: files.length,
        max: maxFiles,
        variable: policyKnobs.maxFiles.env,
      },
    },
  );
}

function tooLarge(chars: number, { maxInputChars: max }: Limits): ClaimcheckError {
  return new ClaimcheckError(
    "input_too_large",
    `All that was given is still ${chars} characters after trimming, the limit is ${max} (${policyKnobs.maxInputChars.env}). Send only the files, the part of the diff or the section of the error that matters, and a shorter question.`,
    { details: { chars, max, variable: policyKnobs.maxInputChars.env } },
  );
}

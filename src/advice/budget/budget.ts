/**
 * Fitting material into what may be sent. Trimmed in this order, and only as far as needed: repeated log lines, long
 * files, general context, what is said of the project, preferences, and what is left of logs. The question, the task,
 * the constraints and the output expected never. What was trimmed is said. Pure.
 */
import { ClaimcheckError } from "../../contract/errors.ts";
import { type Policy, policyKnobs } from "../../contract/policy.ts";
import type { Material, SourceFile } from "../material.ts";
import { charsOf } from "../message.ts";
import { cutMiddle } from "./cut.ts";
import { foldRepeats } from "./repeats.ts";

export type Limits = Pick<Policy, "maxInputChars" | "maxFileChars" | "maxFiles" | "maxLogChars">;

export interface Fitted {
  material: Material;
  /** What was left out, in words; empty where nothing was. */
  trimmed: string[];
  /** UTF-16 units that all texts take. */
  chars: number;
}

/** Less than this says nothing any more. */
const least = {
  file: 1_500,
  logs: 1_000,
  context: 500,
  projectSummary: 200,
  project: 200,
  preferences: 200,
} as const;

/** Code is understood from its beginning; a log from its end. */
const headShare = { file: 0.7, log: 0.3, prose: 0.8 } as const;

/** One way to make `so` smaller; what was given is at hand, so that nothing is ever cut twice. */
type Trim = (so: Material, given: Material, limits: Limits) => Material;

/** What is done, one after the other, until the whole fits. */
const trims: readonly Trim[] = [
  foldLogs,
  shrinkFiles,
  shrinkText("context"),
  shrinkText("projectSummary"),
  shrinkText("project"),
  shrinkText("preferences"),
  shrinkLogs,
];

/** @throws {ClaimcheckError} `input_too_large` where it cannot be made to fit, saying what to narrow */
export function withinBudget(given: Material, limits: Limits): Fitted {
  const material = trims.reduce(
    (so, trim) => (charsOf(so) <= limits.maxInputChars ? so : trim(so, given, limits)),
    withinPartLimits(given, limits),
  );
  const chars = charsOf(material);
  if (chars > limits.maxInputChars) throw tooLarge(chars, limits);
  return { material, trimmed: told(given, material), chars };
}

/** What every part is held to, whether the whole fits or not. */
function withinPartLimits(given: Material, { maxFileChars, maxLogChars }: Limits): Material {
  const { logs } = given;
  return {
    ...given,
    files: cutFiles(given, maxFileChars),
    logs:
      logs === null || logs.length <= maxLogChars
        ? logs
        : cutMiddle(foldRepeats(logs).text, maxLogChars, headShare.log),
  };
}

/** Logs above their own limit are folded already. */
function foldLogs(so: Material, { logs }: Material): Material {
  return logs === null || so.logs !== logs ? so : { ...so, logs: foldRepeats(logs).text };
}

/** The longest give most: all are cut to one length, found so that the whole fits. */
function shrinkFiles(so: Material, given: Material, { maxInputChars, maxFileChars }: Limits): Material {
  const lengths = so.files.map(({ content }) => content.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const level = levelFor(lengths, total - (charsOf(so) - maxInputChars));
  return { ...so, files: cutFiles(given, Math.min(maxFileChars, Math.max(level, least.file))) };
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

function cutFiles({ files }: Material, max: number): SourceFile[] {
  return files.map((file) => ({ ...file, content: cutMiddle(file.content, max, headShare.file) }));
}

/** Where that is all that still gives way, better less of a log than no opinion. */
function shrinkLogs(so: Material, { logs }: Material, { maxInputChars }: Limits): Material {
  if (logs === null || so.logs === null) return so;
  const max = so.logs.length - (charsOf(so) - maxInputChars);
  return { ...so, logs: cutMiddle(foldRepeats(logs).text, Math.max(least.logs, max), headShare.log) };
}

function shrinkText(part: Exclude<keyof typeof least, "file" | "logs">): Trim {
  return (so, given, { maxInputChars }) => {
    const text = given[part];
    if (text === null) return so;
    const max = text.length - (charsOf(so) - maxInputChars);
    return { ...so, [part]: cutMiddle(text, Math.max(least[part], max), headShare.prose) };
  };
}

/** What was left out, in words and in the order in which it is trimmed. */
function told(given: Material, now: Material): string[] {
  return [
    ...toldOfLogs(given.logs ?? "", now.logs ?? ""),
    ...given.files.flatMap(({ path, content }, index) =>
      said(path, content, now.files[index]?.content ?? ""),
    ),
    ...said("context", given.context, now.context),
    ...said("project_summary", given.projectSummary, now.projectSummary),
    ...said("the project's file", given.project, now.project),
    ...said("the preferences' file", given.preferences, now.preferences),
  ];
}

function toldOfLogs(given: string, now: string): string[] {
  if (now === given) return [];
  const { text, folded } = foldRepeats(given);
  const repeats = folded === 0 ? [] : [`logs: ${folded} repeated lines left out`];
  return [...repeats, ...said("logs", text, now)];
}

function said(what: string, before: string | null, now: string | null): string[] {
  if (before === null || now === null || before === now) return [];
  return [`${what}: cut from ${before.length} to ${now.length} characters`];
}

/** More than this is not even looked through for secrets, which takes its time; UTF-16 units. */
const mostGiven = 2 * 1_024 * 1_024;

/** @throws {ClaimcheckError} `input_too_large` */
export function assertNotHuge(given: Material, { maxInputChars }: Limits): void {
  const chars = charsOf(given);
  const max = Math.max(mostGiven, maxInputChars);
  if (chars <= max) return;
  const variable = policyKnobs.maxInputChars.env;
  throw new ClaimcheckError(
    "input_too_large",
    `${chars} characters are more than is looked at (${max}), and ${maxInputChars} is all that would be sent (${variable}). Send the section of the log and the part of each file that matter.`,
    { details: { chars, max, variable } },
  );
}

/**
 * Asked before any is read.
 *
 * @throws {ClaimcheckError} `input_too_large`
 */
export function assertFewEnough(files: number, { maxFiles }: Limits): void {
  if (files <= maxFiles) return;
  throw new ClaimcheckError(
    "input_too_large",
    `relevant_files has ${files} files, the limit is ${maxFiles} (${policyKnobs.maxFiles.env}). Send only the ones that the question is about, or the diff instead of the files.`,
    {
      details: {
        fields: ["relevant_files"],
        files,
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

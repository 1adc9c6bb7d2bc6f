/** From what a caller asks to what is sent: files refused or read, secrets taken out, fitted, and put into words. */
import type { AnswerFormat } from "../contract/answer-format.ts";
import type { OpinionInput, RelevantFile } from "../contract/opinion.ts";
import { assertFewEnough, assertNotHuge, type Limits, withinBudget } from "./budget/budget.ts";
import { estimatedTokens } from "./budget/estimate.ts";
import type { ReadNamedFile } from "./context/directory.ts";
import { ruleAgainst } from "./context/paths.ts";
import { fileRefused } from "./context/refused.ts";
import { instructionsFor, type Layers } from "./instructions.ts";
import { type Material, mapTexts, type SourceFile } from "./material.ts";
import { messageFor } from "./message.ts";
import type { Opinion } from "./opinions.ts";
import { answerFormatOf } from "./sections/format.ts";

/** How many secrets of each kind were taken out. */
export type Counts = Readonly<Record<string, number>>;
export type Redact = (text: string) => { text: string; counts: Counts };

export interface Surroundings {
  limits: Limits;
  /** Null where secrets are left in. */
  redact: Redact | null;
  layers: Layers;
  /** Null where no file may be read. */
  readFile: ReadNamedFile | null;
}

export interface PreparedOpinion {
  message: string;
  instructions: string;
  format: AnswerFormat;
  receipt: Receipt;
}

/** What became of what was given; the caller is told. Names as results have them. */
export interface Receipt {
  /** By kind; absent where secrets are left in. */
  redacted?: Counts;
  trimmed: readonly string[];
  /** UTF-16 units of message and instructions, and about how many tokens that is. */
  sent_chars: number;
  estimated_tokens: number;
}

/** @throws {ClaimcheckError} `file_refused` or `input_too_large`, before anything is sent */
export async function prepareOpinion(
  opinion: Opinion,
  input: OpinionInput,
  { limits, redact, layers, readFile }: Surroundings,
): Promise<PreparedOpinion> {
  assertFewEnough(input.relevant_files?.length ?? 0, limits);
  const given = await materialOf(input, layers, readFile);
  assertNotHuge(given, limits);
  const { material: clean, counts } =
    redact === null ? { material: given, counts: null } : redacted(given, redact);
  const { material, trimmed } = withinBudget(clean, limits);
  const message = messageFor(material);
  const instructions = instructionsFor(opinion, material);
  return {
    message,
    instructions,
    format: answerFormatOf(opinion),
    receipt: {
      ...(counts !== null && { redacted: counts }),
      trimmed,
      sent_chars: message.length + instructions.length,
      estimated_tokens: estimatedTokens(message) + estimatedTokens(instructions),
    },
  };
}

async function materialOf(
  input: OpinionInput,
  layers: Layers,
  readFile: ReadNamedFile | null,
): Promise<Material> {
  const files = input.relevant_files ?? [];
  for (const { path } of files) assertSendable(path);
  return {
    ...layers,
    projectSummary: orNull(input.project_summary),
    taskSummary: orNull(input.task_summary),
    constraints: (input.constraints ?? []).filter((text) => text.trim() !== ""),
    question: input.question,
    expectedOutput: orNull(input.expected_output),
    context: orNull(input.context),
    files: await Promise.all(files.map((file) => sourceOf(file, readFile))),
    logs: orNull(input.logs),
  };
}

const orNull = (text: string | undefined) => (text === undefined || text.trim() === "" ? null : text);

function assertSendable(path: string): void {
  const rule = ruleAgainst(path);
  if (rule !== null) throw fileRefused(path, `${rule} is never sent`);
}

async function sourceOf(
  { path, content, language }: RelevantFile,
  readFile: ReadNamedFile | null,
): Promise<SourceFile> {
  return { path, language: orNull(language), content: content ?? (await named(path, readFile)) };
}

function named(path: string, readFile: ReadNamedFile | null): Promise<string> {
  if (readFile !== null) return readFile(path);
  throw fileRefused(
    path,
    "it comes without content, and reading named files is off here (CLAIMCHECK_ENABLE_FILE_CONTEXT); pass its content",
  );
}

function redacted(given: Material, redact: Redact): { material: Material; counts: Counts } {
  const counts: Record<string, number> = {};
  const material = mapTexts(given, (before) => {
    const { text, counts: found } = redact(before);
    for (const [kind, times] of Object.entries(found)) counts[kind] = (counts[kind] ?? 0) + times;
    return text;
  });
  return { material, counts };
}

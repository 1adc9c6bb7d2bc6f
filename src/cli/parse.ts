/** A command line → what was given, or a sentence about what is wrong with it. */
import { parseArgs } from "node:util";
import { type Command, type Given, UsageError } from "./command.ts";

const everywhere = { help: { type: "boolean", short: "h" }, "env-file": { type: "string" } } as const;

/** @throws {UsageError} */
export function parse(command: Command, args: readonly string[]): Given {
  const { values, positionals } = parsed(command, args);
  const given: Given = {
    positionals,
    flag: (name) => values[name] === true,
    text: (name) => lastText(values[name]),
    texts: (name) => allTexts(values[name]),
  };
  if (!given.flag("help")) checkPositionals(command, positionals);
  return given;
}

function parsed(
  command: Command,
  args: readonly string[],
): { values: Record<string, Value>; positionals: string[] } {
  try {
    return parseArgs({
      args: [...args],
      options: { ...command.options, ...everywhere },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${error.message.split(". ")[0]}.`);
    throw error;
  }
}

function checkPositionals({ takes }: Command, positionals: readonly string[]): void {
  const missing = takes[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = positionals[takes.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`);
}

type Value = string | boolean | (string | boolean)[] | undefined;

const isText = (value: unknown) => typeof value === "string";
const allTexts = (value: Value): string[] => [value].flat().filter((entry) => isText(entry));
const lastText = (value: Value): string | undefined => allTexts(value).at(-1);

/** Reads variables one after the other and collects what is wrong, so that all of it can be said at once. */
import { variables } from "./variables.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Problem {
  variable: string;
  /** A whole sentence: what must be there and what kind of thing is there instead. Never the value of a secret. */
  says: string;
}

/** Turns the text of a variable into its value; undefined where it is not one. */
export type Parse<T> = (text: string) => T | undefined;

export interface Reader {
  readonly problems: readonly Problem[];
  /** The value, or null when the variable is unset, empty, or wrong (which is then among the problems). */
  read<T>(variable: string, parse: Parse<T>): T | null;
  complain(variable: string, says: string): void;
}

export function createReader(environment: Environment): Reader {
  const problems: Problem[] = [];
  const complain = (variable: string, says: string) => void problems.push({ variable, says });
  return {
    problems,
    complain,
    read(variable, parse) {
      const text = environment[variable]?.trim() ?? "";
      if (text === "") return null;
      const value = parse(text);
      if (value !== undefined) return value;
      complain(variable, `${variable} must be ${takenBy(variable)}; it is ${kindOf(text)}.`);
      return null;
    },
  };
}

function takenBy(variable: string): string {
  return variables.find(({ env }) => env === variable)?.takes ?? "something else";
}

/** Somebody may have put a key into the wrong variable: only plain numbers and plain words are repeated. */
function kindOf(text: string): string {
  if (/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return text;
  if (/^[a-z]{1,16}$/i.test(text)) return `"${text}"`;
  return `text of ${text.length} characters`;
}

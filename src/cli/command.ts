/** The shape of one command: what it takes, what it says about itself, what it does. */
import type { ParseArgsConfig } from "node:util";
import type { ExitCode } from "./exit-codes.ts";
import type { World } from "./world.ts";

export interface Command {
  /** The whole help text of the command. */
  help: string;
  options: NonNullable<ParseArgsConfig["options"]>;
  /** Names of its positional arguments, all of them required. */
  takes: readonly string[];
  run(given: Given, world: World): Promise<ExitCode>;
}

/** A parsed command line. Reading an option that the command does not have gives undefined. */
export interface Given {
  positionals: readonly string[];
  flag(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
}

/** The caller's mistake on the command line; the message is one whole sentence or two. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

/** Finds the command, parses its line, runs it, and says in one sentence what went wrong. */
import { ClaimcheckError, type ErrorCode } from "../contract/errors.ts";
import { nearestName } from "../mcp/nearest-name.ts";
import { type Command, UsageError } from "./command.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { generalHelp } from "./help.ts";
import { parse } from "./parse.ts";
import { version } from "./version.ts";
import type { World } from "./world.ts";

/** Each command is loaded when it is called, so that none pays for another's start. */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import("./serve.ts")).serve,
  config: async () => (await import("./host-config.ts")).hostConfig,
  list: async () => (await import("./list.ts")).list,
  show: async () => (await import("./show.ts")).show,
  answer: async () => (await import("./answer.ts")).answer,
  usage: async () => (await import("./usage.ts")).usage,
  doctor: async () => (await import("./doctor.ts")).doctor,
  demo: async () => (await import("./demo.ts")).demo,
};

/** @param args the command line after the program's name; without a command it is `serve` */
export async function main(args: readonly string[], world: World): Promise<ExitCode> {
  const [first] = args;
  if (first === "--version" || first === "-v") return say(world, version);
  if (first === "--help" || first === "-h" || first === "help") return say(world, generalHelp());
  const named = first !== undefined && !first.startsWith("-");
  try {
    return await run(named ? first : "serve", named ? args.slice(1) : args, world);
  } catch (error) {
    return explain(error, world);
  }
}

async function run(name: string, args: readonly string[], world: World): Promise<ExitCode> {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw new UsageError(unknownCommand(name));
  const command = await load();
  const given = parse(command, args);
  return given.flag("help") ? say(world, command.help) : command.run(given, world);
}

function unknownCommand(name: string): string {
  const near = nearestName(name, Object.keys(commands));
  return `There is no command "${name}".${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

function say(world: World, text: string): ExitCode {
  world.stdout.write(`${text}\n`);
  return exitCodes.ok;
}

function explain(error: unknown, world: World): ExitCode {
  if (error instanceof UsageError) {
    world.stderr.write(`claimcheck: ${error.message} claimcheck --help shows what there is.\n`);
    return exitCodes.usage;
  }
  if (error instanceof ClaimcheckError) {
    world.stderr.write(`claimcheck: ${error.message}\n`);
    return codesByError[error.code] ?? exitCodes.failed;
  }
  world.stderr.write(`claimcheck: ${unexpected(error, world)}\n`);
  return exitCodes.failed;
}

const codesByError: Partial<Record<ErrorCode, ExitCode>> = {
  config_invalid: exitCodes.usage,
  key_missing: exitCodes.usage,
  invalid_arguments: exitCodes.usage,
  unknown_request: exitCodes.notFound,
  unknown_session: exitCodes.notFound,
};

/** The message of an error nobody planned may hold anything; its class is enough unless debugging was asked for. */
function unexpected(error: unknown, { environment }: World): string {
  if (!(error instanceof Error)) return "internal error.";
  if (environment["CLAIMCHECK_LOG_LEVEL"] === "debug") return `internal error. ${error.stack ?? error.name}`;
  return `internal error (${error.name}). CLAIMCHECK_LOG_LEVEL=debug shows where.`;
}

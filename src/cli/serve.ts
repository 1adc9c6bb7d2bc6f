/** `claimcheck serve`: answers an MCP host on stdin and stdout. */

import type { Config } from "../config.ts";
import type { Log } from "../mcp/log.ts";
import { serveStdioServer } from "../mcp/stdio.ts";
import { toolsetsWith } from "../mcp/tools.ts";
import { adviceFor } from "./advice.ts";
import { openEngine } from "./assemble.ts";
import type { Command } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { loadConfig } from "./load-config.ts";
import { createLog, engineLog } from "./log.ts";
import { version } from "./version.ts";
import type { World } from "./world.ts";

const MiB = 1_024 * 1_024;

export const serve: Command = {
  help: `claimcheck serve - answer an MCP host on stdin and stdout

  --env-file PATH   read variables from a file; the environment goes before it

  Hosts start this themselves; claimcheck config HOST prints how to tell them.
  It ends when the host lets go of it, and tells what goes wrong on stderr, as
  JSON lines.`,
  options: {},
  takes: [],
  async run(given, world) {
    const config = loadConfig(given, world, { needsKey: true });
    const log = createLog(
      config.logLevel,
      (line) => void world.stderr.write(line),
      () => new Date(world.now()),
    );
    greet(config, world, log);
    const toolsets = toolsetsWith(adviceFor(config));
    serveStdioServer({
      connect: () => openEngine(config, engineLog(log)),
      tools: config.toolsets.flatMap((name) => toolsets[name]),
      version,
      log,
      waitMs: config.waitMs ?? undefined,
      maxLineBytes: longestMessage(config),
    });
    return exitCodes.ok;
  },
};

function greet({ unknownVariables }: Config, world: World, log: Log): void {
  for (const variable of unknownVariables) log("warn", "variable.unknown", { variable });
  if (world.atTerminal) {
    world.stderr.write(
      "claimcheck is waiting for an MCP host on stdin. claimcheck --help shows what else it does.\n",
    );
  }
}

/** A character of the input takes up to six bytes when JSON escapes it. */
function longestMessage({ policy }: Config): number {
  return Math.max(16 * MiB, 8 * policy.maxInputBytes);
}

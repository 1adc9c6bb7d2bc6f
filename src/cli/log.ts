/** One log for the whole process, in the two forms its parts speak. */
import type { LogLevel } from "../config/variables.ts";
import type { Log as EngineLog } from "../engine/log.ts";
import { classOf } from "../mcp/failure.ts";
import { jsonLog, type Log } from "../mcp/log.ts";

/** JSON lines through `write`, down to `level`; `silent` writes nothing. */
export function createLog(level: LogLevel, write: (line: string) => void, wallClock: () => Date): Log {
  return level === "silent" ? () => undefined : jsonLog(level, write, wallClock);
}

/** An error is told by its class and code, never by its message, which may hold what somebody asked. */
export function engineLog(log: Log): EngineLog {
  return {
    event: (name, fields) => log("info", name, Object.fromEntries(Object.entries(fields).flatMap(scalar))),
    failure(what, error) {
      log("error", "failure", { what, ...classOf(error) });
      log("debug", "failure.stack", { what, stack: placesOf(error) });
    },
  };
}

function scalar([name, value]: [string, unknown]): [string, string | number | boolean][] {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? [[name, value]]
    : [];
}

/** Where it happened: a stack begins with the message, which may run over several lines. */
function placesOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? "").split("\n") : [];
  return lines.filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line)).join("\n");
}

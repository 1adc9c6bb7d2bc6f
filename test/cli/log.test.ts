import { describe, expect, test } from "vitest";
import { createLog, engineLog } from "../../src/cli/log.ts";
import type { LogLevel } from "../../src/config/variables.ts";
import { ClaimcheckError } from "../../src/contract/errors.ts";

function logAt(level: LogLevel) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog(
    level,
    (line) => lines.push(JSON.parse(line)),
    () => new Date(0),
  );
  return { log, lines };
}

describe("the log", () => {
  test.each([
    ["silent", []],
    ["error", ["error"]],
    ["warn", ["error", "warn"]],
    ["info", ["error", "warn", "info"]],
    ["debug", ["error", "warn", "info", "debug"]],
  ] as const)("at %s writes what that level says", (level, written) => {
    const { log, lines } = logAt(level);
    for (const severity of ["error", "warn", "info", "debug"] as const) log(severity, "some.event", {});
    expect(lines.map((line) => line["level"])).toEqual(written);
  });

  test("tells an error by class and code, and never by its message", () => {
    const { log, lines } = logAt("debug");
    const engine = engineLog(log);
    engine.failure("ask", new ClaimcheckError("storage_full", "what somebody asked"));
    engine.failure("ask", Object.assign(new RangeError("what\n    somebody asked"), { code: "ECONNRESET" }));
    engine.failure("ask", "what somebody asked");
    expect(lines.filter((line) => line["event"] === "failure")).toMatchObject([
      { level: "error", what: "ask", error: "ClaimcheckError", code: "storage_full" },
      { level: "error", what: "ask", error: "RangeError", code: "ECONNRESET" },
      { level: "error", what: "ask", error: "string" },
    ]);
    expect(JSON.stringify(lines)).not.toContain("somebody");
  });

  test("says at debug, and only there, where an error happened", () => {
    const debug = logAt("debug");
    engineLog(debug.log).failure("ask", new Error("x"));
    expect(JSON.stringify(debug.lines)).toContain("log.test.ts");
    const info = logAt("info");
    engineLog(info.log).failure("ask", new Error("x"));
    expect(JSON.stringify(info.lines)).not.toContain("log.test.ts");
  });

  test("keeps what is plain of an event, and no objects that could hold content", () => {
    const { log, lines } = logAt("info");
    engineLog(log).event("lease.lost", { id: "x", n: 1, ok: true, record: { text: "y" } });
    expect(lines).toEqual([
      { time: "1970-01-01T00:00:00.000Z", level: "info", event: "lease.lost", id: "x", n: 1, ok: true },
    ]);
  });
});

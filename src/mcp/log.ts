/** Metadata only: names, sizes, durations, codes. Never a message, an answer, a key or an error's text. */
export const logLevels = ["error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;
export type Log = (level: LogLevel, event: string, facts?: LogFacts) => void;

/**
 * A log of JSON lines, one object a line: `time` (ISO 8601), `level`, `event`, then the facts.
 * Lines less urgent than `level` are dropped.
 */
export function jsonLog(level: LogLevel, write: (line: string) => void, wallClock: () => Date): Log {
  const loudest = logLevels.indexOf(level);
  return (at, event, facts = {}) => {
    if (logLevels.indexOf(at) > loudest) return;
    write(`${JSON.stringify({ time: wallClock().toISOString(), level: at, event, ...facts })}\n`);
  };
}

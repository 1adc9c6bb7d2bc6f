/** One thing that was looked at, and what was found. */

type Verdict = "ok" | "warn" | "fail" | "skip";

/** In the order in which they are told. */
export const checkNames = [
  "node",
  "sqlite",
  "settings",
  "key",
  "model",
  "base url",
  "upstream",
  "retrieve",
  "background",
  "directory",
  "privacy",
  "disk",
  "database",
  "leases",
  "unresolved",
  "clock",
] as const;
export type CheckName = (typeof checkNames)[number];

export interface Check {
  name: CheckName;
  verdict: Verdict;
  /** Whole sentences, and what they were concluded from. */
  says: string;
  /** What to do about it. Lines that are to be copied stand alone. */
  next?: string;
}

export type Finding = Omit<Check, "name">;

export const ok = (says: string): Finding => ({ verdict: "ok", says });
export const warn = (says: string, next: string): Finding => ({ verdict: "warn", says, next });
export const fail = (says: string, next: string): Finding => ({ verdict: "fail", says, next });
/** Could not be told, or was not asked. */
export const skip = (says: string, next?: string): Finding => ({
  verdict: "skip",
  says,
  ...(next !== undefined && { next }),
});

/** Warnings are allowed. */
export function isHealthy(checks: readonly Check[]): boolean {
  return checks.every(({ verdict }) => verdict !== "fail");
}

/** This project's own text files: sources, documents, lock files. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Files that hold credentials on purpose, all of them made up; each with how many. */
export const holding: Readonly<Record<string, number>> = {
  "test/cli/config.test.ts": 1,
  "test/cli/doctor-settings.test.ts": 1,
  "test/opinions/adversaries.ts": 3,
  "test/providers/anthropic/anthropic.test.ts": 1,
  "test/providers/endpoint.test.ts": 1,
  "test/providers/environment.test.ts": 1,
  "test/simulator/background.test.ts": 1,
  "test/simulator/broken-streams.test.ts": 1,
  "test/simulator/ledger.test.ts": 2,
  "test/simulator/recordings.test.ts": 1,
  "test/simulator/rejected.test.ts": 2,
  "test/simulator/unanswered.test.ts": 1,
  "test/simulator/unusual-bytes.test.ts": 1,
};

export interface OwnFile {
  path: string;
  text: string;
}

/** But for the corpus itself, whose samples hold secrets, and for pictures. */
export function ownFiles(): OwnFile[] {
  return execFileSync("git", ["ls-files", "-z"], { encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && !path.startsWith("test/opinions/corpus/"))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))
    .filter(({ text }) => !text.includes("\0"));
}

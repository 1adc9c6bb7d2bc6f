/** This project's own text files: sources, documents, lock files. */
import { readdirSync, readFileSync } from "node:fs";

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

/** Made by tools or by tests, and not this project's words. */
const notOurs = new Set(["node_modules", "dist", "coverage", ".git"]);

/** But for the corpus itself, whose samples hold secrets, and for what is no text. */
export function ownFiles(): OwnFile[] {
  return filesBelow("")
    .filter((path) => !path.startsWith("test/opinions/corpus/"))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))
    .filter(({ text }) => !text.includes("\0"));
}

/** Walked, since a copy of the project need not be a checkout. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder === "" ? "." : folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (notOurs.has(entry.name) || entry.name.endsWith(".tgz")) return [];
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

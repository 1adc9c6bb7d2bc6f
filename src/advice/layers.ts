/** The two files whose text goes before every question, as they are at the moment they are needed. */
import { readFile, stat } from "node:fs/promises";
import { ClaimcheckError } from "../contract/errors.ts";
import type { Layers } from "./instructions.ts";

/** Text that every call pays for is short, or it is a mistake. Bytes. */
const largestLayer = 64 * 1_024;

/** @throws {ClaimcheckError} `config_invalid` for a file that cannot be read as a short text */
export async function readLayers(files: {
  preferences: string | null;
  project: string | null;
}): Promise<Layers> {
  const [preferences, project] = await Promise.all([
    layerIn("CLAIMCHECK_PREFERENCES_FILE", files.preferences),
    layerIn("CLAIMCHECK_PROJECT_FILE", files.project),
  ]);
  return { preferences, project };
}

async function layerIn(variable: string, file: string | null): Promise<string | null> {
  if (file === null) return null;
  const about = await stat(file).catch((error: unknown) => {
    throw unusable(variable, file, "cannot be found", error);
  });
  if (!about.isFile()) throw unusable(variable, file, "is not a regular file");
  if (about.size > largestLayer)
    throw unusable(variable, file, `has ${about.size} bytes, more than ${largestLayer}`);
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw unusable(variable, file, "cannot be read", error);
  });
  return text.trim() === "" ? null : text.trim();
}

function unusable(variable: string, file: string, what: string, cause?: unknown): ClaimcheckError {
  return new ClaimcheckError(
    "config_invalid",
    `${variable} names ${file}, which ${what}. Nothing was sent.`,
    {
      details: { variables: [variable] },
      cause,
    },
  );
}

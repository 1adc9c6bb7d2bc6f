/** `--env-file`: read only when asked for, and the real environment goes before it. */
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ClaimcheckError } from "../contract/errors.ts";
import type { Environment } from "./reader.ts";

/** @throws {ClaimcheckError} `config_invalid` when the file cannot be read */
export function withEnvFile(environment: Environment, path: string | undefined): Environment {
  return path === undefined ? environment : { ...parseEnv(textOf(path)), ...filled(environment) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ClaimcheckError(
      "config_invalid",
      `Cannot read the file given as --env-file: ${path}. Check the path.`,
      {
        cause,
        details: { file: path },
      },
    );
  }
}

/** Empty means unset, so an empty variable does not hide what the file says. */
function filled(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
}

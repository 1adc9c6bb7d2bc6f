/**
 * Rewrites what the machine's present version is known to leave in a database, for later versions to be tried on.
 * After its release only new samples may add to it. `--check` only compares.
 */
import { corpus } from "../test/machine/golden/corpus.ts";
import { formatted, settle } from "./generated.ts";

await settle(
  Object.fromEntries(
    Object.entries(corpus()).map(([path, content]) => [path, formatted(path, JSON.stringify(content))]),
  ),
);

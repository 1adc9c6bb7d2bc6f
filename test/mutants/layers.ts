/** The layers of tests that a mutant has to get past, cheap ones first. A column of the table each. */
import { existsSync, readdirSync, statSync } from "node:fs";
import type { GrossFault } from "./controls.ts";
import { root } from "./patch.ts";

export interface Layer {
  readonly name: string;
  /** Test files, or folders of them, from the project's root. */
  readonly tests: readonly string[];
  /** What runs through the parts that this layer is about, and so must be killed here. */
  readonly sees: readonly GrossFault[];
}

const throughout: readonly GrossFault[] = [
  "born-streaming",
  "nothing-performed",
  "nothing-committed",
  "door-shut",
  "every-ask-refused",
];

export const layers: readonly Layer[] = [
  { name: "machine", tests: ["test/machine"], sees: ["born-streaming"] },
  { name: "static", tests: ["test/model/static.test.ts"], sees: ["nothing-performed"] },
  { name: "compat", tests: ["test/model/compat"], sees: ["born-streaming"] },
  { name: "protocol", tests: ["test/model/exhaustive"], sees: ["born-streaming"] },
  {
    name: "store",
    tests: ["test/store/sqlite.test.ts", "test/store/sqlite-faults.test.ts"],
    sees: ["nothing-committed"],
  },
  {
    name: "matrix",
    tests: ["test/model/door/matrix.test.ts"],
    sees: ["born-streaming", "nothing-committed", "door-shut"],
  },
  {
    name: "engine",
    tests: ["test/engine"],
    sees: throughout,
  },
  {
    name: "paths",
    tests: ["test/model/door/paths.test.ts", "test/model/paths.test.ts"],
    sees: throughout,
  },
  {
    name: "crashes",
    tests: ["test/model/crashes.test.ts"],
    sees: throughout,
  },
  {
    name: "random",
    tests: ["test/model/random.test.ts"],
    sees: throughout,
  },
];

/** The test files that are there. */
export function filesOf(layer: Layer): string[] {
  return layer.tests.filter((path) => existsSync(`${root}${path}`)).flatMap(testsIn);
}

function testsIn(path: string): string[] {
  if (!statSync(`${root}${path}`).isDirectory()) return [path];
  const names = readdirSync(`${root}${path}`, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .sort()
    .map((name) => `${path}/${name}`);
}

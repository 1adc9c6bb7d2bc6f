import { transformSync } from "esbuild";
import { expect, describe as group, test } from "vitest";
import { controls, nothingWrong } from "./controls.ts";
import { layers } from "./layers.ts";
import { longestName, type Mutant, mutants } from "./mutants.ts";
import { type Patch, patched, sourceOf } from "./patch.ts";
import { uncounted } from "./plugin.ts";

test("mutants and layers are told apart by their names, also in a column", () => {
  const names = mutants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(longestName);
  expect(new Set(layers.map(({ name }) => name.slice(0, 4))).size).toBe(layers.length);
});

test("each layer has to see a gross fault", () => {
  for (const { sees } of layers) expect(sees).not.toEqual([]);
});

group.each(mutants.map((mutant) => [mutant.name, mutant] as const))("the mutant %s", (name, mutant) => {
  test("applies to the source as it is, and is another program that compiles", () => {
    for (const [file, { before, after }] of textsOf(mutant)) {
      expect(after).not.toBe(before);
      expect(compiled(after, file) === compiled(before, file)).toBe(name === nothingWrong);
    }
  });
});

test("the mutant that is none says so, and stands first", () => {
  expect(mutants[0]).toBe(controls[0]);
  expect(mutants[0]?.name).toBe(nothingWrong);
});

test("what a mutant exercises can be left out of coverage", () => {
  expect(patched(sourceOf(uncounted.file), uncounted)).toContain("if (fragment) return;");
});

test.each([
  ["is not there", "nowhere to be found"],
  ["is there twice", "request"],
])("a text to replace that %s is an error", (_, find) => {
  const patch: Patch = { file: "machines/request.ts", find, replace: "" };
  expect(() => patched(sourceOf(patch.file), patch)).toThrow(/occurs \d+ times in machines\/request\.ts/);
});

function textsOf({ patches }: Mutant): Map<string, { before: string; after: string }> {
  const texts = new Map<string, { before: string; after: string }>();
  for (const patch of patches) {
    const before = sourceOf(patch.file);
    texts.set(patch.file, { before, after: patched(texts.get(patch.file)?.after ?? before, patch) });
  }
  return texts;
}

/** Without types and comments. */
function compiled(source: string, file: string): string {
  return transformSync(source, { loader: "ts", sourcefile: file, legalComments: "none", minify: true }).code;
}

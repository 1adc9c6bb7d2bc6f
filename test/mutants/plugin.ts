/** Puts a mutant in the place of what it mutates, in every process that a test run has. */
import { pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";
import type { Mutant } from "./mutants.ts";
import { type Patch, patched, root } from "./patch.ts";

/** What a mutant exercises says nothing about the product, so none of it is counted as coverage. */
export const uncounted: Patch = {
  file: "test/model/coverage-fragment.ts",
  find: `export function writeFragment(fragment: Fragment, universe: () => Universe): void {`,
  replace: `export function writeFragment(fragment: Fragment, universe: () => Universe): void {
  if (fragment) return;`,
};

/** For the modules that the test runner transforms itself. */
export function mutating({ name, patches }: Mutant): Plugin {
  const all = [...patches, uncounted];
  return {
    name: `mutant ${name}`,
    enforce: "pre",
    transform(code, id) {
      const [path] = id.split("?");
      const mine = all.filter(({ file }) => path === `${root}${file}`);
      return mine.length > 0 ? mine.reduce(patched, code) : undefined;
    },
  };
}

/** For processes that tests fork: options for Node, whose hooks see the source before tsx compiles it. */
export function nodeOptionsOf({ name, patches }: Mutant): string {
  const mine = patches.map(({ file, ...change }) => ({
    url: pathToFileURL(`${root}${file}`).href,
    ...change,
  }));
  const hooks = `const patches = ${JSON.stringify(mine)};
    export async function load(url, context, next) {
      const loaded = await next(url, context);
      const mine = patches.filter((patch) => url.split("?")[0] === patch.url);
      if (mine.length === 0) return loaded;
      let source = String(loaded.source);
      for (const { find, replace } of mine) {
        const parts = source.split(find);
        if (parts.length !== 2) throw new Error(${JSON.stringify(`The mutant ${name} does not apply.`)});
        source = parts.join(replace);
      }
      return { ...loaded, source };
    }`;
  const registering = `import { register } from "node:module"; register(${JSON.stringify(dataUrl(hooks))});`;
  return `--import=${dataUrl(registering)}`;
}

/** Base64, since Node takes these options apart at blanks and quotes. */
function dataUrl(source: string): string {
  return `data:text/javascript;base64,${Buffer.from(source).toString("base64")}`;
}

/**
 * Builds `dist/`: the binary as a bundle in pieces, so that `serve` answers before the database is loaded, and the
 * engine as a library beside it. Run by `npm run build`.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { noticesOf } from "./notices.ts";

/** Zod brings its messages in fifty languages, a quarter megabyte that every start would read for nothing. */
const englishOnly: Plugin = {
  name: "english-only",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js";`,
      resolveDir: resolve("node_modules/zod/v4/locales"),
    }));
  },
};

/** Bundled, a dynamic import of CommonJS has nothing but a `default`, where Node itself finds the names as well. */
const namesOfUndici: Plugin = {
  name: "names-of-undici",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "undici", namespace: "named" } : undefined,
    );
    onLoad({ filter: /^undici$/, namespace: "named" }, () => ({
      contents: `export { Agent, fetch } from "undici";`,
      resolveDir: resolve("src"),
    }));
  },
};

/**
 * Built beside what is there and then put in its place, so that whoever runs `dist/` never meets half of it; and each
 * build in a folder of its own, since two may run at once.
 */
const fresh = `.dist-${process.pid}`;

const shared = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minify: true,
  // Callers and logs tell errors apart by class name.
  keepNames: true,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  outdir: fresh,
  plugins: [englishOnly, namesOfUndici],
} satisfies BuildOptions;

// Some packages in the bundle are CommonJS and call `require` for what Node brings along.
const requireInModules = `import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);`;

rmSync(fresh, { recursive: true, force: true });
const built = await Promise.all([
  build({
    ...shared,
    entryPoints: { claimcheck: "src/cli/bin.ts" },
    splitting: true,
    chunkNames: "parts/[name]-[hash]",
    external: ["better-sqlite3"],
    banner: { js: requireInModules },
  }),
  build({
    ...shared,
    entryPoints: { index: "src/index.ts" },
    external: ["better-sqlite3", "xstate", "zod"],
    banner: { js: requireInModules },
  }),
]);
writeFileSync(
  `${fresh}/NOTICES.txt`,
  noticesOf(built.flatMap(({ metafile }) => Object.keys(metafile.inputs))),
);
execFileSync(
  process.execPath,
  [
    "node_modules/typescript/bin/tsc",
    "--project",
    ".config/tsconfig.types.json",
    "--outDir",
    `${fresh}/types`,
  ],
  {
    stdio: "inherit",
  },
);
chmodSync(`${fresh}/claimcheck.js`, 0o755);
const old = `${fresh}-old`;
if (existsSync("dist")) renameSync("dist", old);
renameSync(fresh, "dist");
rmSync(old, { recursive: true, force: true });

/** The fixture that runs as a process: bundled once a test file, since starting through a loader would cost each test a second. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export interface Fixtures {
  serve: string;
  remove(): void;
}

export async function buildFixtures(): Promise<Fixtures> {
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-mcp-"));
  await build({
    entryPoints: [fileURLToPath(new URL("../fixtures/serve.ts", import.meta.url))],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
  });
  return {
    serve: join(folder, "serve.mjs"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

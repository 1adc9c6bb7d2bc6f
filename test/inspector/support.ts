/** The official MCP Inspector, started from the command line for one method at a time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { serverEnvironment, serverFile } from "../support/stdio.ts";
import { temporaryDirectory, type World } from "../support/world.ts";

/** As the inspector calls them. */
export const inspectorEras = ["legacy", "modern"] as const;
export type InspectorEra = (typeof inspectorEras)[number];

export interface Inspected {
  code: number | null;
  /** What it printed, as JSON. */
  result: Record<string, unknown>;
  /** Its warnings and errors, and those of the server. */
  stderr: string;
}

/** Calls `method` of the server under test; `options` are the inspector's own. */
export function inspect(here: World, era: InspectorEra, method: string, options: readonly string[] = []) {
  const variables = serverEnvironment({
    upstream: here.sim.url,
    dataDir: here.dataDir,
    env: { CLAIMCHECK_WAIT_MS: "30000" },
  });
  const environment = Object.entries(variables).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  return inspector([
    ...["--protocol-era", era, ...environment, process.execPath, serverFile, "serve"],
    ...["--method", method, ...options],
  ]);
}

/** Quiet it is not: `-q` would keep its warnings and the server's standard error from us. */
export async function inspector(args: readonly string[]): Promise<Inspected> {
  const home = temporaryDirectory();
  const child = spawn(process.execPath, [binary(), "--cli", ...args, "--format", "json"], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 50_000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, result: stdout === "" ? {} : JSON.parse(stdout), stderr };
}

/** @throws where it is not installed: a suite that cannot run must not look as if it had passed */
function binary(): string {
  const path = fileURLToPath(new URL("node_modules/.bin/mcp-inspector", import.meta.url));
  if (existsSync(path)) return path;
  throw new Error("The inspector is not installed. Run `npm run test:inspector`, which installs it first.");
}

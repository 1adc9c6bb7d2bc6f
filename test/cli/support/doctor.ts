/** `claimcheck doctor` as a person runs it: the built binary, its exit code, and what it found by check. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../../src/cli/main.ts";
import { serverFile, testKey } from "../../support/stdio.ts";
import { claimcheck } from "./binary.ts";
import { fakeWorld } from "./fake-world.ts";

export interface Found {
  verdict: "ok" | "warn" | "fail" | "skip";
  says: string;
  next?: string;
}

export interface Examined {
  code: number | null;
  healthy: boolean;
  checks: Record<string, Found>;
  /** All that was printed. */
  printed: string;
}

/** The smallest environment in which everything is well. Without a home there is no cache of compiled code either. */
export function wellFor(dataDir: string, more: Record<string, string> = {}): Record<string, string> {
  return { CLAIMCHECK_DATA_DIR: dataDir, OPENAI_API_KEY: testKey, OPENAI_MODEL: "gpt-test", ...more };
}

export async function examined(
  environment: Record<string, string>,
  { args = [], nodeArgs = [] }: { args?: string[]; nodeArgs?: string[] } = {},
): Promise<Examined> {
  return read(await claimcheck(["doctor", "--json", ...args], environment, nodeArgs));
}

/** The same in this process, where it is seen which parts of it ran. */
export async function examinedHere(
  environment: Record<string, string>,
  { args = [] }: { args?: string[] } = {},
): Promise<Examined> {
  const here = fakeWorld(environment);
  const code = await main(["doctor", "--json", ...args], { ...here, now: () => Date.now() });
  return read({ code, stdout: here.printed(), stderr: here.complained() });
}

/** The same as another user, where this process may choose. */
export function examinedAs(user: number, environment: Record<string, string>): Examined {
  const { status, stdout, stderr } = spawnSync(process.execPath, [serverFile, "doctor", "--json"], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    encoding: "utf8",
    timeout: 20_000,
    uid: user,
    gid: user,
  });
  return read({ code: status, stdout, stderr });
}

function read({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): Examined {
  if (stderr !== "" || !stdout.startsWith("{")) throw new Error(`doctor told nothing: ${stderr}${stdout}`);
  const { healthy, checks }: { healthy: boolean; checks: (Found & { name: string })[] } = JSON.parse(stdout);
  const byName = Object.fromEntries(checks.map(({ name, ...found }) => [name, found]));
  return { code, healthy, checks: byName, printed: stdout };
}

/** Everything about a directory that a change would show in; `-shm` is SQLite's scratch paper and only named. */
export function traceOf(directory: string): unknown[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const path = join(directory, name);
      const { mode, size, mtimeMs } = lstatSync(path);
      if (name.endsWith("-shm") || !lstatSync(path).isFile()) return { name, mode };
      return {
        name,
        mode,
        size,
        mtimeMs,
        hash: createHash("sha256").update(readFileSync(path)).digest("hex"),
      };
    });
}

/** npm as a user runs it, on the packed project. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../..", import.meta.url));

/** SQLite may have to be compiled, on a machine that is busy. */
export const installMs = 280_000;

/** Packs `dist/` as it stands into `folder`; gives the tarball's path. */
export async function pack(folder: string): Promise<string> {
  // Whoever starts this suite has built it, and others may be running what is there.
  const args = ["pack", "--ignore-scripts", "--pack-destination", folder];
  await run("npm", args, { cwd: project, timeout: 60_000 });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  if (tarball === undefined) throw new Error("npm packed nothing");
  return join(folder, tarball);
}

/** Installs the tarball into an empty folder; gives the path of the installed binary. */
export async function install(tarball: string, folder: string): Promise<string> {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball];
  await run("npm", args, { cwd: folder, env: npmEnvironment(), timeout: installMs });
  return join(folder, "node_modules", ".bin", "claimcheck");
}

/**
 * The environment of somebody who installed nothing yet, with `home` as the home directory. What this machine has
 * downloaded before, and from where, it knows all the same, so that the network is not needed twice.
 */
export function emptyMachine(home: string): Record<string, string> {
  const cache = join(home, ".npm");
  if (!existsSync(cache)) {
    const known = join(npmSetting("cache"), "_cacache");
    mkdirSync(known, { recursive: true });
    mkdirSync(cache);
    symlinkSync(known, join(cache, "_cacache"));
  }
  // Where there is ccache, it too remembers by home directory.
  const CCACHE_DIR = process.env["CCACHE_DIR"] ?? join(homedir(), ".cache", "ccache");
  const npm = { npm_config_cache: cache, npm_config_userconfig: npmSetting("userconfig") };
  return { ...npmEnvironment(), ...npm, CCACHE_DIR, HOME: home };
}

const npmSetting = (name: string) =>
  execFileSync("npm", ["config", "get", name], { encoding: "utf8" }).trim();

/** This machine's, less what the npm that runs this suite says of itself; quicker where it can be. */
function npmEnvironment(): Record<string, string> {
  const ours = Object.entries(process.env).flatMap(([name, value]): [string, string][] =>
    value === undefined || /^(npm_(package|lifecycle)_|npm_config_local_prefix$|INIT_CWD$)/.test(name)
      ? []
      : [[name, value]],
  );
  return { ...Object.fromEntries(ours), ...headers(), npm_config_update_notifier: "false" };
}

/** Headers that came with this Node need not be downloaded to compile for it. */
function headers(): Record<string, string> {
  const nodedir = process.env["npm_config_nodedir"] ?? dirname(dirname(process.execPath));
  return existsSync(join(nodedir, "include", "node", "node.h")) ? { npm_config_nodedir: nodedir } : {};
}

/** From the process to the world that commands see, and back to an exit code. */
import { homedir } from "node:os";
import { text } from "node:stream/consumers";
import { useCompileCache } from "./compile-cache.ts";
import { main } from "./main.ts";
import type { World } from "./world.ts";

export async function start(): Promise<void> {
  useCompileCache(process.env);
  // Whoever reads may stop reading, as `head` does; that is no fault of ours.
  process.stdout.on("error", () => undefined);
  process.exitCode = await main(process.argv.slice(2), worldOf(process));
}

function worldOf({ env, platform, execPath, argv, stdout, stderr, stdin }: NodeJS.Process): World {
  return {
    environment: env,
    platform: { os: platform, home: homedir() },
    program: { node: execPath, script: argv[1] ?? "" },
    stdout,
    stderr,
    atTerminal: stdin.isTTY === true,
    readInput: () => text(stdin),
    now: () => Date.now(),
  };
}

/** The simulator in a process of its own, so that its work is not counted as ours. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const entry = fileURLToPath(new URL("../../src/simulator/main.ts", import.meta.url));

export async function startUpstream(): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn(process.execPath, ["--import", "tsx", entry], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const { url } = JSON.parse(String(line)) as { url: string };
  const ended = once(child, "exit");
  return {
    url,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

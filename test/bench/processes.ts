/** The server as hosts meet it: how soon it answers, and what it holds while idle. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { serverEnvironment, serverFile } from "../support/stdio.ts";

const initialize = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
})}\n`;

/** Milliseconds from spawn until a bare `node -e ''` is gone. */
export async function bareNode(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ["-e", ""], { stdio: "ignore" }), "exit");
  return performance.now() - started;
}

/** Milliseconds from spawn to the first line of reply. */
export async function firstReply(dataDir: string, upstream: string): Promise<number> {
  const started = performance.now();
  const child = startServer(dataDir, upstream);
  child.stdin.write(initialize);
  await once(createInterface({ input: child.stdout }), "line");
  const took = performance.now() - started;
  await stop(child);
  return took;
}

/** Resident memory in MiB, 1.5 s after the first reply, everything loaded and the database open. Linux only. */
export async function idleMemory(dataDir: string, upstream: string): Promise<number> {
  const child = startServer(dataDir, upstream);
  const lines = createInterface({ input: child.stdout });
  child.stdin.write(initialize);
  await once(lines, "line");
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "answers", arguments: { action: "inbox" } } })}\n`,
  );
  await once(lines, "line");
  await delay(1_500);
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  await stop(child);
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}

function startServer(dataDir: string, upstream: string) {
  return spawn(process.execPath, [serverFile, "serve"], {
    env: serverEnvironment({ upstream, dataDir }),
    stdio: ["pipe", "pipe", "ignore"],
  });
}

async function stop(child: ReturnType<typeof startServer>) {
  child.kill("SIGKILL");
  await once(child, "exit");
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { serverFile } from "../../support/stdio.ts";

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The built binary as a person runs it, in an environment of its own; killed after 20 s. */
export async function claimcheck(
  args: readonly string[],
  environment: Record<string, string> = {},
  nodeArgs: readonly string[] = [],
): Promise<Ended> {
  const child = spawn(process.execPath, [...nodeArgs, serverFile, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, "close"),
  ]);
  return { code, stdout, stderr };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** The control that processes which tests fork run the mutant too, and not what is on disk. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mutantNamed } from "./mutants.ts";
import { nodeOptionsOf } from "./plugin.ts";

const limitMs = 20_000;

/** Null where they do, otherwise what was seen instead. */
export async function unseenByForks(): Promise<string | null> {
  const mutant = mutantNamed("door-shut");
  const child = fork(new URL("./probe.ts", import.meta.url), {
    execArgv: ["--import", "tsx"],
    env: { ...process.env, NODE_OPTIONS: nodeOptionsOf(mutant) },
    timeout: limitMs,
  });
  const exited = once(child, "exit");
  const source = await Promise.race([
    once(child, "message").then(([text]) => String(text)),
    exited.then(() => ""),
  ]);
  await exited;
  if (source.includes("The door is shut.")) return null;
  return source === "" ? "a forked process did not start" : "a forked process runs what is on disk";
}

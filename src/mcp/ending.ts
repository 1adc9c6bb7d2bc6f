import { classOf } from "./failure.ts";
import type { Log } from "./log.ts";

/** Ends the process, once, for whatever reason comes first. */
export type End = (reason: string, exitCode?: number) => void;

/** A host that ends must not wait for us longer than 2 s; noticing takes up to 250 ms of that. */
const limitMs = 1_650;
const parentCheckMs = 250;

/** An `End` that takes the steps of an orderly end, and exits after them or when time is up. */
export function endingBy(steps: () => Promise<void>, log: Log): End {
  let ending = false;
  return (reason, exitCode = 0) => {
    if (ending) return;
    ending = true;
    process.exitCode = exitCode;
    log("info", "server.ending", { reason });
    const exit = () => process.exit(exitCode);
    setTimeout(exit, limitMs).unref();
    steps().then(exit, (error: unknown) => {
      log("error", "server.ending.failed", classOf(error));
      exit();
    });
  };
}

/**
 * Calls `end` for every way a host has of letting go of a server: closing its input, no longer reading its output,
 * signals, and dying. Through `npx` signals do not arrive, and a host killed outright closes nothing that a
 * grandparent still holds, so the parent is looked at too.
 */
export function endWithHost(end: End, log: Log): void {
  process.stdin.on("end", () => end("input ended"));
  process.stdin.on("close", () => end("input closed"));
  process.stdin.on("error", () => end("input failed"));
  process.stdout.on("error", () => end("output failed"));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => end(signal));
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end("parent died"), parentCheckMs).unref();
  const onFault = (error: unknown) => {
    log("error", "server.fault", classOf(error));
    end("fault", 1);
  };
  process.on("uncaughtException", onFault);
  process.on("unhandledRejection", onFault);
}

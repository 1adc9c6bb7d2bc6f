#!/usr/bin/env node
/**
 * The binary. It imports nothing before it has looked at the version, so that an old Node gets a sentence and not
 * a syntax error from some file further in.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (isTooOld(major, minor)) {
  process.stderr.write(
    `claimcheck needs Node 20.19 or later, or 22.14 or later; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  import("./start.ts").then(({ start }) => start());
}

/** The floor that better-sqlite3 and Node-API set, as in package.json. */
function isTooOld(major: number, minor: number): boolean {
  if (major === 20) return minor < 19;
  if (major === 22) return minor < 14;
  return major < 22;
}

export {};

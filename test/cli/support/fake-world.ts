import type { World } from "../../../src/cli/world.ts";

export interface FakeWorld extends World {
  printed(): string;
  complained(): string;
}

/** A process that writes into strings: what `main` sees in place of the real one. */
export function fakeWorld(
  environment: Record<string, string> = {},
  { tty = false, columns = 80 }: { tty?: boolean; columns?: number } = {},
): FakeWorld {
  const out: string[] = [];
  const err: string[] = [];
  return {
    environment,
    platform: { os: "linux", home: "/home/somebody" },
    program: { node: process.execPath, script: import.meta.filename },
    stdout: { write: (text) => out.push(text), isTTY: tty, columns },
    stderr: { write: (text) => err.push(text) },
    atTerminal: false,
    readInput: async () => "",
    now: () => Date.parse("2026-11-30T12:00:00.000Z"),
    printed: () => out.join(""),
    complained: () => err.join(""),
  };
}

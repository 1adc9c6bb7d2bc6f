/** A whole world for one test, taken down after it: a data directory, an upstream, servers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Simulator, startSimulator } from "../../src/simulator/simulator.ts";
import { type ServerOptions, type StdioServer, startServer } from "./stdio.ts";

export interface World {
  sim: Simulator;
  dataDir: string;
  /** Another server process on the same database and upstream. */
  server(options?: Partial<ServerOptions>): Promise<StdioServer>;
}

export async function world(): Promise<World> {
  const sim = await startSimulator();
  const dataDir = temporaryDirectory();
  const servers: StdioServer[] = [];
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await sim.close();
  });
  return {
    sim,
    dataDir,
    async server(options = {}) {
      const server = await startServer({ upstream: sim.url, dataDir, ...options });
      servers.push(server);
      return server;
    },
  };
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "claimcheck-test-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Waits for a condition, never for time; gives up loudly. */
export async function until<T>(
  what: string,
  probe: () => T | false | null | undefined | Promise<T | false | null | undefined>,
  limitMs = 10_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await probe();
    if (seen !== false && seen !== null && seen !== undefined) return seen;
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

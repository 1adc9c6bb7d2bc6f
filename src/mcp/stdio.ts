import { randomUUID } from "node:crypto";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Engine } from "../engine/engine.ts";
import { endingBy, endWithHost } from "./ending.ts";
import { classOf } from "./failure.ts";
import { lazyEngine } from "./lazy-engine.ts";
import { lineTransport } from "./line-transport.ts";
import type { Log } from "./log.ts";
import { createFollowers } from "./resources/followers.ts";
import { withListeners } from "./resources/listeners.ts";
import { createMcpServer } from "./server.ts";
import { claimStdout } from "./stdout-guard.ts";
import type { Tool } from "./tool.ts";

const MiB = 1_024 * 1_024;

/** Replies already on their way when the host lets go: `echo … | claimcheck serve` should still show them. */
const lastRepliesMs = 100;
/** The engine takes up to 250 ms more than it is given, and the store is closed after it: 1.5 s in all. */
const engineGraceMs = 1_250;

export interface StdioServerOptions {
  /**
   * Opens storage and providers and makes the engine. Called after the first reply, or at the first tool call; again
   * after a failure. The engine's `close` closes all that was opened.
   */
  connect: () => Promise<Engine>;
  tools: readonly Tool[];
  version: string;
  log: Log;
  /** Default wait of every tool call in ms, whatever the host; undefined leaves it to the host. */
  waitMs?: number | undefined;
  /** Longest message taken; by default 16 MiB, 64 times the default input limit. */
  maxLineBytes?: number;
}

/**
 * Serves MCP on this process's standard input and output, in both eras of the protocol, until the host lets go; then
 * the process exits within 2 s. Standard output belongs to the protocol from this call on.
 */
export function serveStdioServer(options: StdioServerOptions): void {
  const { log, maxLineBytes = 16 * MiB } = options;
  const write = claimStdout(process.stdout, process.stderr);
  const { promise: replied, resolve: markReplied } = deferred();
  const engine = lazyEngine({ connect: options.connect, replied, log });
  const wire = lineTransport({ input: process.stdin, write, maxLineBytes, onReplied: markReplied });
  const parts = { ...options, engine: engine.get, monotonicMs: () => performance.now(), newId: randomUUID };
  const server = serveStdio(({ era }) => createMcpServer(parts, era), {
    transport: withListeners(wire, createFollowers(parts)),
    onerror: (error) => log("debug", "protocol.fault", classOf(error)),
  });
  const end = endingBy(async () => {
    await wire.drained(lastRepliesMs);
    await server.close();
    await engine.close(engineGraceMs);
  }, log);
  endWithHost(end, log);
  replied.then(engine.warm);
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

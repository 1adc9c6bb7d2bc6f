import { ClaimcheckError } from "../contract/errors.ts";
import type { Engine } from "../engine/engine.ts";
import { classOf } from "./failure.ts";
import type { Log } from "./log.ts";

export interface LazyEngine {
  /** The engine, connecting if need be. A failure is told to this caller, and the next one tries again. */
  get(): Promise<Engine>;
  /** Begins to connect, for whoever comes next. */
  warm(): void;
  /** Ends the engine within `graceMs`, if there is one; from now on callers are told that the server is ending. */
  close(graceMs: number): Promise<void>;
}

/**
 * An engine that is connected on first use, so that a host learns of the tools before storage is even opened.
 * Background work begins once `replied` says that the first reply is out.
 */
export function lazyEngine(parts: {
  connect: () => Promise<Engine>;
  replied: Promise<void>;
  log: Log;
}): LazyEngine {
  let connected: Promise<Engine> | undefined;
  let closing = false;

  const connect = () => {
    const attempt = parts.connect();
    attempt.then(
      (engine) => parts.replied.then(() => closing || engine.start()),
      (error: unknown) => {
        connected = undefined;
        parts.log("error", "engine.unavailable", classOf(error));
      },
    );
    return attempt;
  };
  const get = async () => {
    if (closing) throw shuttingDown();
    connected ??= connect();
    return connected;
  };
  return {
    get,
    warm: () => {
      get().catch(() => {});
    },
    close: async (graceMs) => {
      closing = true;
      const engine = await connected?.catch(() => undefined);
      await engine?.close(graceMs);
    },
  };
}

function shuttingDown(): ClaimcheckError {
  return new ClaimcheckError("shutting_down", "This server is ending and takes no more work. Call again.");
}

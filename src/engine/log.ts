/** Metadata only: never content, never an error's message. Written by whoever assembles the engine. */
export interface Log {
  event(name: string, fields: Record<string, unknown>): void;
  failure(what: string, error: unknown): void;
}

export const silentLog: Log = { event: () => undefined, failure: () => undefined };

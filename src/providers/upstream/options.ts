/** What every provider that speaks HTTP is told of time and size. */
import type { ExchangeLog } from "./exchange.ts";

export interface HttpProviderOptions {
  /** How long upstream may take until its first byte, connecting included; ms. */
  firstByteMs: number;
  /** How long a reply may be silent after that; ms. Any byte counts, comments and keepalives included. */
  idleMs: number;
  limits: {
    /** Most bytes of UTF-8 that text and refusal of an answer may have together; the rest is cut off. */
    textBytes: number;
    /** Most bytes of one event or line of a stream, or of one JSON document. */
    eventBytes: number;
  };
  /** Told once about each exchange: purpose, status, upstream's request id, duration. Never content. */
  log?: ExchangeLog | undefined;
  /** Wall time in ms, for `Retry-After` dates. */
  now?: () => number;
}

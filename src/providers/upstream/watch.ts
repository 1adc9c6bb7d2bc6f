/**
 * The clocks over one exchange. The SDK's timeout stops at the headers and undici's own give no say, so both are
 * off, and this decides when silence has lasted too long.
 */

/** Who or what broke an exchange off: the caller's signal, one of the clocks, or the end of `giveUpIn`. */
export type Interruption = "caller" | "first_byte_timeout" | "idle" | "given_up";

export interface WatchLimits {
  /** How long upstream may take until its first byte, connecting included; ms. */
  firstByteMs: number;
  /** How long it may be silent after that; ms. */
  idleMs: number;
}

export interface Watch {
  /** Aborts with the first interruption, or when the watch is over. */
  readonly signal: AbortSignal;
  readonly interruption: Interruption | null;
  /** A byte of any kind arrived, a comment or a keepalive included. */
  heard(): void;
  /** Ends the exchange in `ms`, whatever is still heard. */
  giveUpIn(ms: number): void;
  /** Stops the clocks and lets go of the connection. */
  over(): void;
}

/** Made once: the default reason is a new exception with its stack, for every exchange that went well. */
const exchangeOver = new Error("The exchange is over.");

export function createWatch({ firstByteMs, idleMs }: WatchLimits, caller: AbortSignal): Watch {
  const controller = new AbortController();
  let interruption: Interruption | null = null;
  let silence = setTimeout(interrupt, firstByteMs, "first_byte_timeout");
  let patience: NodeJS.Timeout | undefined;
  let begun = false;

  function interrupt(why: Interruption) {
    if (controller.signal.aborted) return;
    interruption = why;
    controller.abort();
  }

  const byCaller = () => interrupt("caller");
  caller.addEventListener("abort", byCaller, { once: true });
  if (caller.aborted) byCaller();

  return {
    signal: controller.signal,
    get interruption() {
      return interruption;
    },
    heard() {
      if (controller.signal.aborted) return;
      if (begun) {
        silence.refresh();
        return;
      }
      begun = true;
      clearTimeout(silence);
      silence = setTimeout(interrupt, idleMs, "idle");
    },
    giveUpIn(ms) {
      patience ??= setTimeout(interrupt, ms, "given_up");
    },
    over() {
      clearTimeout(silence);
      clearTimeout(patience);
      caller.removeEventListener("abort", byCaller);
      controller.abort(exchangeOver);
    },
  };
}

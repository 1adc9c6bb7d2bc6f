import { EventEmitter, once } from "node:events";

/** Where scenarios wait until a test lets them go on. */
export class Gate {
  readonly #opened = new EventEmitter().setMaxListeners(0);
  #waiting = 0;

  /** How many wait here now. */
  get waiting(): number {
    return this.#waiting;
  }

  /** @throws AbortError when the signal is aborted first */
  async wait(signal: AbortSignal): Promise<void> {
    this.#waiting += 1;
    try {
      await once(this.#opened, "open", { signal });
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Lets through those who wait now; who comes later waits again. */
  release(): void {
    this.#opened.emit("open");
  }
}

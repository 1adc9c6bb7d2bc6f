import { EventEmitter, once } from "node:events";
import type { LoggedEvent } from "./api-types.ts";

/** The events of one response in order, for any number of readers, early or late. An event's number is its place. */
export class EventLog {
  readonly #events: LoggedEvent[] = [];
  readonly #changed = new EventEmitter().setMaxListeners(0);
  #ended = false;

  append(event: LoggedEvent): void {
    this.#events.push(event);
    this.#changed.emit("change");
  }

  /** No more events will come. */
  end(): void {
    this.#ended = true;
    this.#changed.emit("change");
  }

  /**
   * Each event from number `from` on, waiting for those that are still to come.
   *
   * @throws AbortError when the signal is aborted while it waits
   */
  async *follow(from: number, signal: AbortSignal): AsyncGenerator<readonly [number, LoggedEvent]> {
    for (let number = from; ; number += 1) {
      signal.throwIfAborted();
      while (number >= this.#events.length && !this.#ended) await once(this.#changed, "change", { signal });
      const event = this.#events[number];
      if (!event) return;
      yield [number, event];
    }
  }
}

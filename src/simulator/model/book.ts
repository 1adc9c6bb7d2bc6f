import { BoundedMap } from "../bounded-map.ts";
import type { HeldResponse } from "./held-response.ts";

const REMEMBERED_RESPONSES = 1_000;

/** The responses of the simulated server, the last thousand of them. */
export class Book {
  readonly #responses = new BoundedMap<string, HeldResponse>(REMEMBERED_RESPONSES, (forgotten) =>
    forgotten.stop(),
  );

  add(response: HeldResponse): void {
    this.#responses.set(response.id, response);
  }

  /** The response if the API would show it. */
  find(id: string): HeldResponse | undefined {
    const response = this.#responses.get(id);
    return response?.retrievable ? response : undefined;
  }

  /** The response if a turn can continue it: stored, and finished or incomplete. */
  findPredecessor(id: string): HeldResponse | undefined {
    const response = this.find(id);
    return response && ["completed", "incomplete"].includes(response.snapshot.status) ? response : undefined;
  }

  /**
   * The turns up to and with this id, oldest first. It starts behind the youngest one that is missing: a deleted turn
   * takes all before it out of the context, without a word.
   */
  chain(id: string | null): HeldResponse[] {
    const turns: HeldResponse[] = [];
    let turn = id === null ? undefined : this.find(id);
    while (turn) {
      turns.unshift(turn);
      const previous = turn.request.previous_response_id;
      turn = previous === null ? undefined : this.find(previous);
    }
    return turns;
  }

  all(): HeldResponse[] {
    return this.#responses.values();
  }

  stopAll(): void {
    for (const response of this.all()) response.stop();
  }

  clear(): void {
    this.stopAll();
    this.#responses.clear();
  }
}

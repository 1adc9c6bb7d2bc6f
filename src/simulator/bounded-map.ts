/** A map that forgets its oldest entry when it is full. */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #limit: number;
  readonly #onForgotten: (value: Value) => void;

  constructor(limit: number, onForgotten: (value: Value) => void = () => {}) {
    this.#limit = limit;
    this.#onForgotten = onForgotten;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.forgetOldest();
  }

  entries(): [Key, Value][] {
    return [...this.#entries];
  }

  keys(): Key[] {
    return [...this.#entries.keys()];
  }

  values(): Value[] {
    return [...this.#entries.values()];
  }

  clear(): void {
    this.#entries.clear();
  }

  forgetOldest(): void {
    for (const [key, value] of this.#entries) {
      this.#entries.delete(key);
      this.#onForgotten(value);
      return;
    }
  }
}

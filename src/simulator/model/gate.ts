/** One waiting at the gate, and the name of the place where it waits. */
interface Waiter {
  readonly place: string;
  let(through: boolean): void;
}

/** Where scenarios, and calls answered by hand, wait until a test lets them go on. */
export class Gate {
  readonly #waiters = new Set<Waiter>();

  /** The places where somebody waits now, in the order of arrival. */
  get waiting(): string[] {
    return [...this.#waiters].map(({ place }) => place);
  }

  /** @throws the signal's reason when it is aborted first */
  async wait(place: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = deferred<boolean>();
    const waiter: Waiter = { place, let: resolve };
    const leave = () => waiter.let(false);
    this.#waiters.add(waiter);
    signal.addEventListener("abort", leave, { once: true });
    try {
      if (!(await promise)) signal.throwIfAborted();
    } finally {
      signal.removeEventListener("abort", leave);
      this.#waiters.delete(waiter);
    }
  }

  /** Lets through those who wait now, or those at one place; who comes later waits again. */
  release(place?: string): void {
    for (const waiter of this.#waiters) {
      if (place !== undefined && waiter.place !== place) continue;
      this.#waiters.delete(waiter);
      waiter.let(true);
    }
  }
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

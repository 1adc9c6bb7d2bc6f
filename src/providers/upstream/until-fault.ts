/**
 * The same items, without the throw: an iteration that fails ends, and `fault` tells with what (null for nothing).
 * By hand, since a generator around a generator costs more for each item than all of the reducing does.
 */
export function untilFault<T>(items: AsyncIterable<T>): { events: AsyncIterable<T>; fault: () => unknown } {
  const iterator = items[Symbol.asyncIterator]();
  let fault: unknown = null;

  async function next(): Promise<IteratorResult<T>> {
    try {
      return await iterator.next();
    } catch (error) {
      fault = error;
      return { done: true, value: undefined };
    }
  }

  async function leave(): Promise<IteratorResult<T>> {
    await iterator.return?.();
    return { done: true, value: undefined };
  }

  return { events: { [Symbol.asyncIterator]: () => ({ next, return: leave }) }, fault: () => fault };
}

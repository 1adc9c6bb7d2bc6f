/**
 * Tells listeners that somebody may have written: at once for this process, within `everyMs` for another. The
 * timer runs only while somebody listens and never keeps the process alive.
 *
 * @param dataVersion a number that moves when another connection wrote
 */
export function createWatch(dataVersion: () => number, everyMs: number) {
  const listeners = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let seen = 0;
  let announced = false;

  function announce() {
    if (announced || listeners.size === 0) return;
    announced = true;
    queueMicrotask(tell);
  }

  function tell() {
    announced = false;
    for (const listener of [...listeners]) listener();
  }

  function poll() {
    const now = versionOr(seen);
    if (now !== seen) announce();
    seen = now;
  }

  /** A database that cannot be read now says so to whoever reads next; a hint needs no error. */
  function versionOr(fallback: number): number {
    try {
      return dataVersion();
    } catch {
      return fallback;
    }
  }

  function start() {
    seen = versionOr(0);
    timer = setInterval(poll, everyMs).unref();
  }

  function stop() {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** This process wrote. */
    announce,
    /** Returns the way to stop listening. */
    listen(listener: () => void): () => void {
      // The same function may listen twice.
      const own = () => listener();
      listeners.add(own);
      if (timer === undefined) start();
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) stop();
      };
    },
    close() {
      listeners.clear();
      stop();
    },
  };
}

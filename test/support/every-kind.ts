/**
 * Checks all kinds of one promise at the same time: a server costs more than a request, so they share one. Says
 * which kinds did not hold, not only the first.
 */
export async function everyKind<K extends readonly [name: string, ...rest: unknown[]]>(
  kinds: readonly K[],
  check: (...kind: K) => Promise<void>,
): Promise<void> {
  const checks = await Promise.allSettled(kinds.map((kind) => check(...kind)));
  const faults = checks.flatMap((result, index) =>
    result.status === "rejected"
      ? [new Error(`with ${kinds[index]?.[0]}: ${textOf(result.reason)}`, { cause: result.reason })]
      : [],
  );
  const [first, ...more] = faults;
  if (first === undefined) return;
  throw more.length === 0
    ? first
    : new AggregateError(faults, faults.map(({ message }) => message).join("\n\n"));
}

const textOf = (reason: unknown) => (reason instanceof Error ? reason.message : String(reason));

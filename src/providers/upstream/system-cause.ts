import { identifier } from "./identifier.ts";

/** No chain of causes is deeper in practice; a cycle would be. */
const maxDepth = 8;

/**
 * The system's or the transport's code for an error, such as `ECONNREFUSED`, `ENOTFOUND` or `UND_ERR_SOCKET`:
 * the first one found down its causes, and among the attempts of an `AggregateError` (one per address tried).
 */
export function systemCause(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > maxDepth) return undefined;
  const own = "code" in error ? identifier(error.code, 64) : undefined;
  if (own !== undefined) return own;
  const below = error instanceof AggregateError ? [...error.errors, error.cause] : [error.cause];
  for (const cause of below) {
    const found = systemCause(cause, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

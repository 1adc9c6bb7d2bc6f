/**
 * Upstream's short words (codes, parameter names, reasons), where they look like identifiers; undefined otherwise.
 * Anything else could be free text, which can echo the prompt.
 */
export function identifier(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text.length > maxLength) return undefined;
  return /^[A-Za-z0-9_$][A-Za-z0-9_$.:/[\]-]*$/.test(text) ? text : undefined;
}

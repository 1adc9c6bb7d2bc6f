/** Telling what was made by chance from what was written. */

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Shannon entropy of the signs, in bits each. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/**
 * Whether `value` looks drawn, not written: long, of several kinds of signs, and hardly one twice. Ids that are made
 * by chance too and are no secrets, UUIDs and digests in hexadecimal, do not count.
 */
export function isDrawn(value: string): boolean {
  if (/\s/.test(value)) return false;
  if (value.length < 16 || value.length > 4_096 || uuid.test(value) || /^[0-9a-f]+$/i.test(value))
    return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && !isWords(value) && entropy(value) >= 3.5;
}

/** Most letters of a text in upper and lower case stand in words of it, as in `lastTokenOf2026Schema`. */
function isCamelCase(value: string): boolean {
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  const letters = value.replace(/[^A-Za-z]/g, "").length;
  const inWords = value.match(/[A-Z]?[a-z]{3,}/g)?.join("").length ?? 0;
  return inWords >= letters * 0.7;
}

/** `some-kebab-case-v2`, `lib/node_modules/x1`, `camelCaseName2`: words with numbers between signs. */
function isWords(value: string): boolean {
  const parts = value.split(/[-_./:+=~ ]+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
  const words = parts.filter((part) => /^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|\d{1,4}|v\d+)$/.test(part));
  return words.length * 3 >= parts.length * 2 || isCamelCase(value);
}

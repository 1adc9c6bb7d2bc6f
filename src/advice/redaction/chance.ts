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
  if (value.length < 16 || value.length > 4_096 || uuid.test(value) || /^[0-9a-f]+$/i.test(value))
    return false;
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/].filter((kind) => kind.test(value)).length;
  return kinds >= 2 && !isWords(value) && entropy(value) >= 3.5;
}

/** `some-kebab-case-v2`, `lib/node_modules/x1`, `camelCaseName2`: words with numbers between signs. */
function isWords(value: string): boolean {
  const parts = value.split(/[-_./:+=~ ]+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
  const words = parts.filter((part) => /^(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}|\d{1,4}|v\d+)$/.test(part));
  return words.length * 3 >= parts.length * 2;
}

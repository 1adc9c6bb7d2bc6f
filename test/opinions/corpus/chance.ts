/** Signs drawn by a seed: the same in every run, and nobody's key. */

export interface Dice {
  /** A whole number from 0, below `bound`. */
  below(bound: number): number;
  /** `length` signs of an alphabet. */
  signs(alphabet: string, length: number): string;
}

export const alphabets = {
  digits: "0123456789",
  hex: "0123456789abcdef",
  upper: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  mixed: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
  base64: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
  crockford: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
} as const;

/** mulberry32, a small generator of 32 bits (public domain). */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    signs: (alphabet, length) =>
      Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join(""),
  };
}

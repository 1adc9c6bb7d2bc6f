export interface Dice {
  below(limit: number): number;
}

/** Repeatable chance: mulberry32, small and good enough to pick moments. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  return {
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit;
    },
  };
}

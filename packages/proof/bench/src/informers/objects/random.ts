/**
 * Numbers that look random and are the same for the same seed: recordings must not differ between machines.
 */
export interface Random {
  /** Returns a number of at least 0 and less than 1. */
  next(): number;
  /** Returns a whole number of at least 0 and less than `below`. */
  below(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(share: number): boolean;
  /** Returns so many of these characters. */
  text(length: number, characters?: string): string;
  /** Returns a number around 0, with a standard deviation of 1. */
  normal(): number;
}

const hexadecimal = "0123456789abcdef";

/** mulberry32: 32 bits of state, more than good enough for names and sizes. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: (from) => from[below(from.length)] as (typeof from)[number],
    chance: (share) => next() < share,
    text(length, characters = hexadecimal) {
      let text = "";
      for (let index = 0; index < length; index++) text += characters[below(characters.length)];
      return text;
    },
    // The Box-Muller transform.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

/** Returns a UUID of version 4. */
export function uuid(random: Random): string {
  const hex = random.text(32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

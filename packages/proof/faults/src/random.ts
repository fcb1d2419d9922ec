/** Random numbers that depend on the seed alone: the same seed draws the same numbers on every machine. */
export interface Random {
  /** Returns a number of at least 0 and less than 1. */
  next(): number;
  /** Returns a whole number of at least `from` and less than `to`. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Returns one of several values, by their weights. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T;
  /**
   * Returns an independent generator, so that one part can draw more often without changing what another
   * draws.
   */
  fork(name: string): Random;
}

export function createRandom(seed: number | string): Random {
  const text = String(seed);
  const next = sfc32(hash(text, 1), hash(text, 2), hash(text, 3), hash(text, 4));
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from));
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (from) => from[int(0, from.length)] as (typeof from)[number],
    weighted(from) {
      let left = next() * from.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of from) {
        left -= weight;
        if (left < 0) return value;
      }
      return (from[from.length - 1] as (typeof from)[number])[1];
    },
    fork: (name) => createRandom(`${text}/${name}`),
  };
}

/** Chris Doty-Humphrey's small fast counter: 128 bits of state, passes PractRand. */
function sfc32(a: number, b: number, c: number, counter: number): () => number {
  const draw = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) draw();
  return draw;
}

/** FNV-1a with another start for each of the four words. */
function hash(text: string, salt: number): number {
  let value = 0x811c9dc5 ^ Math.imul(salt, 0x9e3779b9);
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value | 0;
}

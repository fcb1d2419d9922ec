/** A number of bytes that many requests share. */
export interface ByteBudget {
  /**
   * Takes bytes. Returns false and takes nothing when they exceed the limit. If nothing is taken, any amount
   * is granted, so that a single request above the limit can be served.
   */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

export function createByteBudget(limit: number): ByteBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used > 0 && used + bytes > limit) return false;
      used += bytes;
      return true;
    },
    give(bytes) {
      used -= bytes;
    },
  };
}

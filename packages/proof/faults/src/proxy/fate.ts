import type { Random } from "../random.ts";

/**
 * The fate of one connection through the TCP proxy. It concerns bytes, so it holds for TLS as well: bytes are
 * delayed, split or withheld, never changed or reordered.
 */
export interface Fate {
  /** The largest piece of bytes that arrives at once. */
  pieces?: number;
  /** The delay of each piece in milliseconds, both ways. */
  delay?: number;
  bytesPerSecond?: number;
  /**
   * The end of the connection: after so many bytes from server to client, or after so many milliseconds,
   * whichever is first. `reset`: RST both ways. `close`: FIN, in the middle of an answer. `silence`: half-
   * open, the connection stays and no byte passes either way. `lost`: requests still arrive, answers do not.
   */
  end?: { how: "reset" | "close" | "silence" | "lost"; afterBytes?: number; afterMs?: number };
}

export interface FateRates {
  /** The share of connections that end early. Default 0.5. */
  ends?: number;
  /** The share of connections that are slow or arrive in small pieces. Default 0.3. */
  slow?: number;
  /** The longest life of a connection that ends early, in milliseconds. Default 2,000. */
  lifetime?: number;
}

/** Draws a fate. Most connections of a healthy network have none: `{}`. */
export function drawFate(random: Random, { ends = 0.5, slow = 0.3, lifetime = 2_000 }: FateRates = {}): Fate {
  const fate: Fate = {};
  if (random.chance(slow)) {
    random.weighted<() => void>([
      [3, () => (fate.pieces = random.pick([1, 7, 100, 1_000]))],
      [2, () => (fate.delay = random.int(1, 50))],
      [1, () => (fate.bytesPerSecond = random.pick([20_000, 200_000]))],
    ])();
  }
  if (random.chance(ends)) {
    const how = random.weighted<NonNullable<Fate["end"]>["how"]>([
      [4, "reset"],
      [4, "close"],
      [2, "silence"],
      [1, "lost"],
    ]);
    const afterMs = random.int(1, lifetime);
    fate.end = random.chance(0.5) ? { how, afterMs } : { how, afterMs, afterBytes: random.int(1, 20_000) };
  }
  return fate;
}

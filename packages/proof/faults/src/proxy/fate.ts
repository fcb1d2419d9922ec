import type { Random } from "../random.ts";

/**
 * What becomes of one connection through the TCP proxy. All of it is about bytes, so it holds for TLS as well: bytes
 * are held back, split or withheld, never changed or put in another order.
 */
export interface Fate {
  /** Bytes arrive in pieces of at most so many, each on its own. */
  pieces?: number;
  /** Milliseconds that each piece is held back, both ways. */
  delay?: number;
  bytesPerSecond?: number;
  /**
   * The end, once so many bytes have gone from server to client, or after so many milliseconds, whichever is first.
   * `reset`: RST both ways. `close`: FIN, in the middle of whatever was being said. `silence`: half-open, the connection
   * stays and not another byte passes either way. `lost`: what the client says still arrives, answers do not.
   */
  end?: { how: "reset" | "close" | "silence" | "lost"; afterBytes?: number; afterMs?: number };
}

export interface FateRates {
  /** Share of connections that end before their time. Default 0.5. */
  ends?: number;
  /** Share of connections that are slow, or arrive in small pieces. Default 0.3. */
  slow?: number;
  /** How long a connection that ends lives at most, in milliseconds. Default 2,000. */
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

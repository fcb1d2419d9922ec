import type { Random } from "../random.ts";

/**
 * How the bytes of a stream arrive. `whole`: as they were sent. `split`: in two or three pieces, cut
 * anywhere, also inside a character. `crumbs`: in many pieces. `merged`: everything sent in one turn arrives
 * at once, together with the head of the next line.
 */
export type Pieces = "whole" | "split" | "crumbs" | "merged";

/** Passes bytes on in pieces. `flush` passes on the rest. */
export function createPieces(pieces: Pieces, random: Random, push: (bytes: Uint8Array) => void) {
  let held: Uint8Array[] = [];
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    if (held.length > 0) push(Buffer.concat(held));
    held = [];
  }

  return {
    pass(bytes: Uint8Array): void {
      if (pieces === "whole") push(bytes);
      else if (pieces === "merged") {
        held.push(bytes);
        if (!scheduled) setImmediate(flush);
        scheduled = true;
      } else {
        const most = pieces === "crumbs" ? 40 : bytes.length;
        for (let at = 0; at < bytes.length; ) {
          const size = random.int(1, most + 1);
          push(bytes.subarray(at, at + size));
          at += size;
        }
      }
    },
    flush,
  };
}

import type { Duplex } from "node:stream";

/**
 * Copies between two connections in both directions, at the speed of the slower one. Resolves when both are
 * closed. Supports half-close. If one side fails, destroys the other. If one side closes normally, the other
 * still receives the data already read from it.
 */
export function splice(a: Duplex, b: Duplex): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    const copy = (from: Duplex, to: Duplex) => {
      from.pipe(to);
      from.on("error", () => {});
      from.once("close", () => {
        if (!from.readableEnded) to.destroy();
        // Further data of the other side is dropped until it ends.
        else to.unpipe(from).resume();
        open--;
        if (open === 0) resolve();
      });
    };
    copy(a, b);
    copy(b, a);
    if (a.destroyed) b.destroy();
    if (b.destroyed) a.destroy();
  });
}

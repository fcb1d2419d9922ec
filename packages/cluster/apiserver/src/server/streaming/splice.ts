import type { Duplex } from "node:stream";

/**
 * Copies between two connections in both directions, at the speed of the slower one. Resolves when both are
 * closed. Each side may end its half before the other. An error of one side destroys the other. After an
 * orderly close the other side still receives the rest.
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

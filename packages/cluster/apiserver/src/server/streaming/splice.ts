import type { Duplex } from "node:stream";

/**
 * Copies both ways between two connections, at the pace of the slower; resolves when both are closed. One side may end its
 * half before the other. A side that breaks breaks the other; one that is closed in order lets the other take what is left.
 */
export function splice(a: Duplex, b: Duplex): Promise<void> {
  return new Promise((resolve) => {
    let open = 2;
    const copy = (from: Duplex, to: Duplex) => {
      from.pipe(to);
      from.on("error", () => {});
      from.once("close", () => {
        if (!from.readableEnded) to.destroy();
        // Nobody takes any more what the other still says; its end is waited for.
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

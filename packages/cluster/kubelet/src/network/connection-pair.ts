import { type Duplex, duplexPair } from "node:stream";

/**
 * The two ends of a connection in memory, which close as those of a TCP connection do: who closes after having sent everything
 * lets the other read to the end; who breaks off breaks it for the other at once.
 */
export function createConnectionPair(): [Duplex, Duplex] {
  const [a, b] = duplexPair();
  couple(a, b);
  couple(b, a);
  return [a, b];
}

function couple(from: Duplex, to: Duplex): void {
  // Whoever reads or writes a broken connection sees it there.
  from.on("error", () => {});
  from.once("close", () => {
    if (!from.writableFinished || to.readableEnded) to.destroy();
    else to.once("end", () => to.destroy());
  });
}

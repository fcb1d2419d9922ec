import { type Duplex, duplexPair } from "node:stream";

/**
 * Returns the two ends of a connection in memory. They close like those of a TCP connection: after an orderly close the
 * other end can still read everything; an abrupt one breaks the other end at once.
 */
export function createConnectionPair(): [Duplex, Duplex] {
  const [a, b] = duplexPair();
  couple(a, b);
  couple(b, a);
  return [a, b];
}

function couple(from: Duplex, to: Duplex): void {
  // The next read or write of a broken connection reports the error.
  from.on("error", () => {});
  from.once("close", () => {
    if (!from.writableFinished || to.readableEnded) to.destroy();
    else to.once("end", () => to.destroy());
  });
}

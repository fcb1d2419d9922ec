import { type Duplex, duplexPair } from "node:stream";

/**
 * Returns the two ends of a connection in memory. They close like those of a TCP connection: after an orderly
 * close the other end can still read everything, and an abrupt close breaks the other end at once.
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

/** Thrown when a connection inside the cluster fails. `code` is Node's: ECONNREFUSED or ENOTFOUND. */
export class DialError extends Error {
  override readonly name = "DialError";
  readonly code: "ECONNREFUSED" | "ENOTFOUND";

  constructor(code: "ECONNREFUSED" | "ENOTFOUND", message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the error of a closed port, with the message of Go's net package that kubelets and API servers pass
 * on.
 */
export function refused(host: string, port: number): DialError {
  return new DialError("ECONNREFUSED", `dial tcp ${host}:${port}: connect: connection refused`);
}

/** Returns the error of an unknown name. */
export function unknownHost(host: string): DialError {
  return new DialError("ENOTFOUND", `lookup ${host} on 10.96.0.10:53: no such host`);
}

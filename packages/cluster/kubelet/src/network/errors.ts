/** Why a connection inside the cluster did not come about. `code` is node's: ECONNREFUSED, ENOTFOUND. */
export class DialError extends Error {
  override readonly name = "DialError";
  readonly code: "ECONNREFUSED" | "ENOTFOUND";

  constructor(code: "ECONNREFUSED" | "ENOTFOUND", message: string) {
    super(message);
    this.code = code;
  }
}

/** Nobody listens: in the words of Go's net package, which kubelets and API servers pass on. */
export function refused(host: string, port: number): DialError {
  return new DialError("ECONNREFUSED", `dial tcp ${host}:${port}: connect: connection refused`);
}

/** The name means nothing in this cluster. */
export function unknownHost(host: string): DialError {
  return new DialError("ENOTFOUND", `lookup ${host} on 10.96.0.10:53: no such host`);
}

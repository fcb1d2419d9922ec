/**
 * An error that trying again does not mend (Go: reconcile.TerminalError): it is logged and counted, and the request
 * waits for the next change. The error itself is the `cause`.
 */
export class TerminalError extends Error {
  constructor(cause: unknown) {
    super(`terminal error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "TerminalError";
  }
}

/**
 * An error that a retry cannot fix. It is logged and counted, and the request waits for the next change. The
 * original error is the `cause`. Go: reconcile.TerminalError.
 */
export class TerminalError extends Error {
  constructor(cause: unknown) {
    super(`terminal error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "TerminalError";
  }
}

/**
 * Why a copy failed:
 *
 * - `ModuleMissing`: the npm package modern-tar is not installed
 * - `TarMissing`: the container has no `tar`
 * - `TarFailed`: `tar` in the container exited with another code than 0
 * - `InvalidArchive`: the container sent no whole archive of what was asked for
 * - `UnsafeEntry`: the container sent an entry that leads out of the target
 * - `Conflict`: the target has a folder where the source has a file, or the other way round
 */
export type CopyErrorReason =
  | "ModuleMissing"
  | "TarMissing"
  | "TarFailed"
  | "InvalidArchive"
  | "UnsafeEntry"
  | "Conflict";

/** A copy that failed for another reason than the connection, the server or the local file system. */
export class CopyError extends Error {
  override readonly name: string = "CopyError";
  readonly reason: CopyErrorReason;

  constructor(reason: CopyErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

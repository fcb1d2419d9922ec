/** A Secret that should hold a release holds none. The message names the Secret, what is wrong, and the way out. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";
}

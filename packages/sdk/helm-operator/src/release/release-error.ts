/** A Secret holds no valid release. The message names the Secret, the problem and the remedy. */
export class ReleaseError extends Error {
  override readonly name = "ReleaseError";
}

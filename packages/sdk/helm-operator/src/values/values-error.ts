/** Invalid values. The message names them, and the remedy. */
export class ValuesError extends Error {
  override readonly name = "ValuesError";
}

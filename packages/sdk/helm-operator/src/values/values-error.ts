/** Values that cannot be: the message says which, and the way out. */
export class ValuesError extends Error {
  override readonly name = "ValuesError";
}

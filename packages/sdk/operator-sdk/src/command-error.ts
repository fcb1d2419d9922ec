/** A mistake of the person at the keyboard: its message is one line that says what, where, and the way out. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

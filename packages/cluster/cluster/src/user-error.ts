/**
 * A mistake of the person at the keyboard, or of the machine, that this person can mend: the message says what,
 * where and the way out. Commands print it as one line without a stack, and exit with 1.
 */
export class UserError extends Error {
  override readonly name = "UserError";
}

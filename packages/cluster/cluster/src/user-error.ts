/**
 * An error that the user can fix, in the input or on the machine. The message says what is wrong, where, and
 * what to do. Commands print it as one line without a stack, and exit with 1.
 */
export class UserError extends Error {
  override readonly name = "UserError";
}

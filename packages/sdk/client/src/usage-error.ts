/**
 * An argument is invalid, such as an empty name. A class of its own, because the value often comes from a user's object and
 * not from a bug.
 */
export class UsageError extends TypeError {
  override readonly name: string = "UsageError";
}

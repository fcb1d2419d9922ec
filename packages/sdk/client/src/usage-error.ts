/**
 * What a call was given does not fit: no namespace where there has to be one, an empty name. It often comes from an object
 * that somebody wrote, so it is told from the TypeErrors of the language itself, which are mistakes of a program.
 */
export class UsageError extends TypeError {
  override readonly name: string = "UsageError";
}

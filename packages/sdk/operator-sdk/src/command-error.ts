/** An error that the user can fix. The message is one line: what is wrong, where, and what to do. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Returns the text in one line, so that it fits a CommandError. */
export function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}

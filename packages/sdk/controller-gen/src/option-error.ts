/** A wrong option, or a file that cannot be read or written: its message is one line for a person. */
export class OptionError extends Error {
  override name = "OptionError";
}

/** A chart that is not there, is none, or must not be read. The message names its path, what is wrong, and the way out. */
export class ChartError extends Error {
  override readonly name = "ChartError";
}

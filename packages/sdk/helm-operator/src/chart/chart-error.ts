/** A chart is missing, invalid, or unsafe to read. The message names its path, the problem and the remedy. */
export class ChartError extends Error {
  override readonly name = "ChartError";
}

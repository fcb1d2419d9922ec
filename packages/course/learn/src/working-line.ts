/** A line on a terminal that says what runs now, while a command has nothing else to print. */
export interface WorkingLine extends Disposable {
  /** Replaces the shown text with what runs now. */
  doing(what: string): void;
  /** Removes the line, before another one is printed. */
  clear(): void;
}

/** The part of `process.stderr` that the line uses. */
export interface WorkingStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const frames = ["◒", "◐", "◓", "◑"];
const frameMs = 120;

/**
 * Shows a spinner on a terminal until it is cleared or disposed of. With NO_COLOR it prints a plain line for
 * each piece of work. Without a terminal and in CI it prints nothing. Unlike `withProgress`, it leaves no line
 * behind, and reads no keys.
 */
export function createWorkingLine(
  stream: WorkingStream,
  { CI, NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): WorkingLine {
  const none = (): void => undefined;
  if (!stream.isTTY || CI) return { doing: none, clear: none, [Symbol.dispose]: none };
  if (NO_COLOR || TERM === "dumb") {
    return { doing: (what) => stream.write(`${what} …\n`), clear: none, [Symbol.dispose]: none };
  }
  let timer: NodeJS.Timeout | undefined;
  let [text, count] = ["", 0];
  const draw = (): void => {
    const line = `${frames[count++ % frames.length]} ${text}`;
    const most = (stream.columns || 80) - 1;
    stream.write(`\r\x1b[K${line.length > most ? `${line.slice(0, most - 1)}…` : line}`);
  };
  const clear = (): void => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    stream.write("\r\x1b[K");
  };
  return {
    doing(what) {
      [text, count] = [what, 0];
      draw();
      timer ??= setInterval(draw, frameMs).unref();
    },
    clear,
    [Symbol.dispose]: clear,
  };
}

import { S_BAR, S_STEP_ERROR, S_STEP_SUBMIT } from "@clack/prompts";
import { colors } from "../colors.ts";

export interface Progress<T> {
  /** The text while the work runs. */
  readonly doing: string;
  /** Returns the text after the work has succeeded. */
  readonly done: (result: T) => string;
  /** The text after the work has failed. */
  readonly failed: string;
}

const frames = ["◒", "◐", "◓", "◑"];
const frameMs = 80;

/**
 * Shows progress on the terminal while work runs. Without a terminal, prints a line before the work and one
 * after it. Resolves and rejects as the work does. Drops keys typed meanwhile, except Ctrl+C, which becomes a
 * SIGINT. clack's spinner would exit with status 0, before any cleanup.
 */
export async function withProgress<T>(progress: Progress<T>, work: () => Promise<T>): Promise<T> {
  const { stdin, stdout } = process;
  if (!stdout.isTTY) {
    stdout.write(`${progress.doing}\n`);
    const result = await work();
    stdout.write(`${progress.done(result)}\n`);
    return result;
  }
  let rows = 0;
  const draw = (sign: string, text: string): void => {
    const up = rows > 1 ? `\x1b[${rows - 1}A` : "";
    stdout.write(`${rows > 0 ? `\r${up}\x1b[J` : ""}${sign}  ${text}`);
    rows = Math.ceil((text.length + 3) / (stdout.columns || 80));
  };
  const onKeys = (keys: unknown): void => {
    if (String(keys).includes("\x03")) process.kill(process.pid, "SIGINT");
  };
  let count = 0;
  const turn = (): void => draw(colors.magenta(frames[count++ % frames.length]), progress.doing);
  stdin.setRawMode?.(true);
  stdin.on("data", onKeys).resume();
  stdout.write(`${colors.gray(S_BAR)}\n`);
  turn();
  const timer = setInterval(turn, frameMs);
  try {
    const result = await work();
    draw(colors.green(S_STEP_SUBMIT), progress.done(result));
    return result;
  } catch (error) {
    draw(colors.red(S_STEP_ERROR), progress.failed);
    throw error;
  } finally {
    clearInterval(timer);
    stdout.write("\n");
    stdin.off("data", onKeys).pause();
    stdin.setRawMode?.(false);
  }
}

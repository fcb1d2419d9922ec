import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CommandError } from "../command-error.ts";

const run = promisify(execFile);

export interface RunNodeOptions {
  readonly cwd: string;
  /** Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs Node until it ends.
 *
 * @param problem what a failure means: `the packages cannot be bundled`
 * @throws CommandError with the problem and the program's output
 */
export async function runNode(
  args: readonly string[],
  problem: string,
  options: RunNodeOptions,
): Promise<void> {
  try {
    await run(process.execPath, args, { ...options, maxBuffer: 64 << 20 });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new CommandError(`${problem}:\n${`${stdout}${stderr}`.trimEnd() || message}`);
  }
}

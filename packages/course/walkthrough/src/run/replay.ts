import { existsSync } from "node:fs";
import { pathBelow } from "../files/safe-path.ts";
import type { ConsoleBlock } from "../page/page.ts";
import { PageFailure } from "./failure.ts";
import { runProgram } from "./run-program.ts";
import type { Shared } from "./shared.ts";

export interface ReplayOptions {
  /** The whole environment of the commands. No cluster can be reached from it: a KUBECONFIG is taken away. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  /** Where what a page leaves is kept for other runs. Default: nowhere, it is made anew. */
  readonly shared?: Shared;
}

/**
 * Does again what a block did to the project, at `learner`; while that folder is not there, in `work`, which stands for
 * the tutorial's. Throws PageFailure with what its commands said when one of them fails.
 */
export async function replayBlock(
  block: ConsoleBlock,
  { work, learner }: { readonly work: string; readonly learner: string },
  o: ReplayOptions,
): Promise<void> {
  o.signal?.throwIfAborted();
  const folder = pathBelow(learner, block.options.cwd ?? ".");
  const commands = block.entries.map(({ text }) => text).join("\n");
  const { status, output } = await runProgram("bash", ["--noprofile", "--norc", "-ec", commands], {
    cwd: existsSync(folder) ? folder : work,
    env: { ...o.env, KUBECONFIG: "/dev/null" },
    signal: o.signal,
  });
  if (status === 0) return;
  const diff = output
    .trimEnd()
    .split("\n")
    .slice(-20)
    .map((text) => ({ kind: "+" as const, text }));
  const message = `done again, for what goes on from here, its commands exit with status ${status}`;
  throw new PageFailure(block.line, message, { diff, command: commands });
}

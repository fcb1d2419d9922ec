import { readAnswers } from "../answers.ts";
import { type Outcome, runScripts } from "../run.ts";
import type { Script } from "../script.ts";
import { startOurs } from "../targets/ours.ts";

/** Plays scripts on a server of ours, beside recorded answers. `mistakes` are what the server says of its own. */
export async function playRecorded(
  scripts: readonly Script[],
): Promise<{ outcomes: Outcome[]; mistakes: string[] }> {
  const mistakes: string[] = [];
  const ours = await startOurs((line) => mistakes.push(line));
  try {
    const { answersOf } = await readAnswers(scripts);
    return { outcomes: await runScripts(scripts, ours, answersOf), mistakes };
  } finally {
    await ours.stop();
  }
}

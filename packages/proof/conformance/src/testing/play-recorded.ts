import { readAnswers } from "../answers.ts";
import { type Outcome, runScripts } from "../run.ts";
import type { Script } from "../script.ts";
import { startOurs } from "../target.ts";

/** Plays scripts on our server, and compares with recorded answers. `errors` are internal errors of the server. */
export async function playRecorded(
  scripts: readonly Script[],
): Promise<{ outcomes: Outcome[]; errors: string[] }> {
  const errors: string[] = [];
  const ours = await startOurs((line) => errors.push(line));
  try {
    const { answersOf } = await readAnswers(scripts);
    return { outcomes: await runScripts(scripts, ours, answersOf), errors };
  } finally {
    await ours.stop();
  }
}

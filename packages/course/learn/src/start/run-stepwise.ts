import { confirm, isCancel, log } from "@clack/prompts";
import { unlessAborted } from "../closed-terminal.ts";
import { createGuide } from "../exercise/guide.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { runPages } from "../verify.ts";

/**
 * Runs a page on its own cluster, and asks before each step, so that the learner can read along and do the
 * exercises.
 *
 * @param attempts folder for the learner's solutions. It is created when there is one
 */
export async function runStepwise(page: PageFile, signal: AbortSignal, attempts: string): Promise<void> {
  const path = shortPath(page.path, process.cwd());
  const reports = await runPages([page], signal, {
    verbose: true,
    guide: createGuide(attempts, signal),
    beforeStep: async (step) => {
      log.step(`${step.title}\n${path}:${step.line}`);
      const answer = await unlessAborted(confirm({ message: "Run this step?", signal }), signal);
      return !isCancel(answer) && answer;
    },
  });
  if (reports.some(({ difference }) => difference))
    log.warn("The page and the cluster do not agree; see above.");
  else if (reports.every(({ passed }) => passed)) log.success("Every step does what the page says.");
  else log.info("Stopped, and cleaned up.");
}

import { confirm, isCancel, log } from "@clack/prompts";
import { unlessAborted } from "../closed-terminal.ts";
import { createGuide } from "../exercise/guide.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { runPages } from "../verify.ts";

/**
 * Runs a page on a cluster of its own, asking before each step, so that there is time to read along, and to write what
 * is an exercise.
 *
 * @param kept folder for what the learner writes, made when there is something
 */
export async function runStepwise(page: PageFile, signal: AbortSignal, kept: string): Promise<void> {
  const path = shortPath(page.path, process.cwd());
  const reports = await runPages([page], signal, {
    verbose: true,
    guide: createGuide(kept, signal),
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

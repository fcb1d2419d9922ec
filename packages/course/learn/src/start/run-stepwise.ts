import { confirm, isCancel, log } from "@clack/prompts";
import type { PageFile } from "../pages.ts";
import { runPages } from "../verify.ts";

/** Runs a page on a cluster of its own, asking before each step. */
export async function runStepwise(page: PageFile, signal: AbortSignal): Promise<void> {
  const reports = await runPages([page], signal, {
    beforeStep: async (step) => {
      log.step(`${step.title} (line ${step.line})`);
      const answer = await confirm({ message: "Run this step?", signal });
      return !isCancel(answer) && answer;
    },
  });
  const passed = reports.every((report) => report.passed);
  log.info(
    passed ? "Every step does what the page says." : "The page and the cluster do not agree; see above.",
  );
}

import { log } from "@clack/prompts";
import { colors } from "../colors.ts";
import { createGuide } from "../exercise/guide.ts";
import { type PageFile, shortPath } from "../pages.ts";
import { runPages } from "../verify.ts";
import { wrappingStream } from "../wrap-lines.ts";
import { askForKey, listenForStop } from "./stop-keys.ts";
import { watchReporter } from "./watch-reporter.ts";

/**
 * Runs a page on its own cluster, and asks before each step, so that the learner can read along and do the
 * exercises. Shows the commands with their output, and the code. The learner can stop it at any time, by q or
 * Ctrl+C. Resolves to the slugs of the steps that ran. Rejects when `signal` aborts.
 *
 * @param attempts folder for the learner's solutions. It is created when there is one
 * @param from slug of the first step to ask for: earlier ones run without a question. Default: the first
 */
export async function runStepwise(
  page: PageFile,
  signal: AbortSignal,
  attempts: string,
  from?: string,
): Promise<string[]> {
  const path = shortPath(page.path, process.cwd());
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const ran: string[] = [];
  let asks = from === undefined;
  using keys = listenForStop(() => stop.abort(new Error("stopped")));
  const reporter = watchReporter(wrappingStream(process.stdout));
  const reports = await runPages([page], either, {
    guide: createGuide(attempts, either),
    reporter: () => ({
      ...reporter,
      asking() {
        keys.pause();
        reporter.asking?.();
      },
      doing(what, line, block) {
        keys.resume();
        reporter.doing?.(what, line, block);
      },
      stepFinished(step) {
        if (step.status === "passed" || step.status === "skipped") ran.push(step.slug);
        reporter.stepFinished?.(step);
      },
    }),
    beforeStep: async (step) => {
      asks ||= step.slug === from;
      keys.pause();
      log.step(`${step.title}\n${path}:${step.line}`);
      const answer = asks ? await askBeforeStep(either) : "\r";
      asks = asks && answer !== "a";
      keys.resume();
      return answer !== undefined;
    },
  }).catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
    return [];
  });
  signal.throwIfAborted();
  if (reports.some(({ difference }) => difference) && !stop.signal.aborted)
    log.warn("The cluster differs from the page; see above.");
  else if (reports.some(({ passed }) => passed)) log.success("Every step does what the page says.");
  else log.info("Stopped, and cleaned up.");
  return ran;
}

async function askBeforeStep(signal: AbortSignal): Promise<"\r" | "a" | undefined> {
  const key = (name: string): string => colors.bold(name);
  const question = `  Run this step? ${key("Enter")}: yes   ${key("a")}: this and all others   ${key("q")}: stop\n`;
  return askForKey(question, ["\r", "a"], signal);
}

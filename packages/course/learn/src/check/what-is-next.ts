import { type ProjectHistory, type Step, showsNews } from "@operator-path/walkthrough";
import type { Vocabulary } from "../vocabulary.ts";
import { isComplete, type Work } from "./judge.ts";
import { projectPath } from "./place.ts";
import { leavesFiles, nextLasting } from "./standing.ts";
import { indexOfStep, type NumberedStep, originOf, stepsOf } from "./steps.ts";

/** What `check` says after a step that is right. */
export interface Next {
  /** ` Next: "Apply it" (1-page.md:12)`. Empty at the end of a page. */
  readonly text: string;
  /** What `check` cannot see, and what to do about it. */
  readonly advice: readonly string[];
}

/** Says what comes after the learner's step. */
export function whatIsNext(work: Work, current: NumberedStep | undefined, words: Vocabulary): Next {
  const within = nextInStep(work, current, words);
  if (within !== undefined) return { text: ` Next: ${within}`, advice: [] };
  const steps = current?.step.cleanUp ? [] : stepsAfter(work, current);
  const titles = steps.map((one) => `"${one.step.title}"${words.afterStep(originOf(one))}`);
  if (current && !current.step.cleanUp && writesNoMore(work, current)) {
    const more = titles.length > 1 ? `, and ${titles.length - 1} more` : "";
    const end = words.check("clean-up");
    return {
      text: titles.length > 0 ? ` After it: ${titles[0]}${more}` : "",
      advice: [
        `No later step of this page changes a file. When you reach the end of the page, ${end} says what comes next.`,
      ],
    };
  }
  const upTo = steps.findIndex((one) => isShown(one, work.history)) + 1 || steps.length;
  const silent = steps.slice(0, upTo - 1).filter(({ step }) => hasBlocks(step));
  const last = silent.at(-1)?.step;
  const what = silent.map(({ step }) => `"${step.title}"`).join(" and ");
  return {
    text: titles.length > 0 ? ` Next: ${titles.slice(0, upTo).join(", then ")}` : "",
    advice: last
      ? [`${words.check()} cannot see whether you have done ${what}. When you have, ${words.record(last)}.`]
      : [],
  };
}

/** Returns the next file or command of the learner's step. Undefined: the step has no other. */
function nextInStep(
  { history, standing: { reached } }: Work,
  current: NumberedStep | undefined,
  words: Vocabulary,
): string | undefined {
  const following = nextLasting(history, reached);
  if (!following || following.step !== current?.step) return undefined;
  const { page, block } = following;
  if ("file" in block) return `${projectPath(block.file)} (${words.place({ page, line: block.line })})`;
  const command = block.kind === "console" && block.entries.find(({ kind }) => kind === "command");
  if (!command) return undefined;
  return `\`${command.text.split("\n")[0]}\` (${words.place({ page, line: command.line })})`;
}

/** Returns the steps after the learner's, up to Clean up if there is one. */
function stepsAfter({ place }: Work, current: NumberedStep | undefined): NumberedStep[] {
  const steps = stepsOf(place.pages);
  const rest = steps.slice(indexOfStep(steps, current) + 1);
  const end = rest.findIndex(({ step }) => step.cleanUp) + 1;
  return end === 0 ? rest : rest.slice(0, end);
}

/** Reports whether check can prove a step: by its files, or by what the cluster shows. */
function isShown({ page, step }: NumberedStep, history: ProjectHistory): boolean {
  return !leavesFiles(history, step) || showsNews(page, step, "embedded");
}

function hasBlocks({ blocks }: Step): boolean {
  return blocks.some(({ kind }) => kind !== "quotation");
}

/** Reports whether the learner has all files that the page writes, and is not at its end. */
function writesNoMore(work: Work, { page }: NumberedStep): boolean {
  const { history, standing } = work;
  const next = nextLasting(history, standing.reached);
  return isComplete(work) && next?.page !== page && page.steps.some(({ cleanUp }) => cleanUp);
}

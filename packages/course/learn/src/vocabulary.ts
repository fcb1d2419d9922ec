import { basename } from "node:path";
import type { Origin, Step } from "@operator-path/walkthrough";

/**
 * The words of one face of the course for places on a page and for what the learner can do. A terminal has lines and
 * commands, the browser's window has steps and buttons. Commands are in backticks, buttons in quotes.
 */
export interface Vocabulary {
  /** Names a place: `1-page.md:120`, or `the step "Apply it"`. */
  place(origin: Origin): string;
  /** Names a place after a verb: `in the step "Apply it" (1-page.md:120)`. The window omits the line. */
  at(origin: Origin): string;
  /** Follows the title of the step that an origin is in: ` (1-page.md:120)`. In the window, the title is enough. */
  afterStep(origin: Origin): string;
  /** @param step that must be complete */
  check(step?: string): string;
  /** Checks a page's last step although its objects were deleted. */
  finish(last: Step): string;
  /** Says how to record a step whose commands leave nothing to compare. */
  record(step: Step): string;
  catchUp(step?: string): string;
  /** Shows a file of the learner beside the page's. */
  diff(file: string): string;
  /** @param name as the learner typed it */
  exercise(name: string, action: string): string;
  /** Says where the next hint is. */
  hint(exercise: string, number: number, of: number): string;
  /** Says where the hints and solutions of exercises are. */
  readonly exercises: string;
  /**
   * Says how to go on with the next page.
   *
   * @param sameProject whether it continues the project of the page before
   */
  nextPage(name: string, sameProject: boolean): string;
  /** Says what makes the learner's missing folder. */
  readonly makesFolder: string;
}

/** How this person types the course's commands. */
export interface TypedCommands {
  /** `learn` in the shell of `pnpm start`, whose other commands are short too. Elsewhere `pnpm learn`. */
  readonly learn: string;
  readonly exercise: string;
  readonly pnpm: string;
}

/** Returns the title of the step with a line. The text above the first step has the page's title. */
export function stepTitle({ page, line }: Origin): string {
  return page.steps.findLast((step) => step.line <= line)?.title ?? page.frontMatter.title;
}

/** Returns the words of a terminal. */
export function terminalVocabulary({ learn, exercise, pnpm }: TypedCommands): Vocabulary {
  const place = ({ page, line }: Origin): string => `${basename(page.path)}:${line}`;
  const typed = (...words: readonly (string | undefined)[]): string =>
    `\`${words.filter((word) => word !== undefined).join(" ")}\``;
  const ofLearn = learn === "learn" ? [] : [learn];
  const check = (step?: string): string => typed(...ofLearn, "check", step);
  return {
    place,
    at: (origin) => `in the step "${stepTitle(origin)}" (${place(origin)})`,
    afterStep: (origin) => ` (${place(origin)})`,
    check,
    finish: ({ slug }) => check(slug),
    record: ({ slug }) => `type ${check(slug)}`,
    catchUp: (step) => typed(...ofLearn, "catch-up", step),
    // Without `learn`, it is another program.
    diff: (file) => typed(learn, "diff", file),
    exercise: (name, action) => typed(exercise, name, action),
    hint: (name, number, of) => `A hint (${number} of ${of}): ${typed(exercise, name, "hint")}`,
    exercises: `${typed(exercise)} lists the exercises, their hints and solutions.`,
    nextPage: (name, sameProject) =>
      ofLearn.length > 0
        ? `Type ${typed(pnpm, "start", name)}.`
        : `${sameProject ? "Go on in this shell. Or type" : "Type"} \`exit\`, and choose "Continue" in the menu.`,
    makesFolder: `${typed(pnpm, "start")}, then "Build it yourself", creates it`,
  };
}

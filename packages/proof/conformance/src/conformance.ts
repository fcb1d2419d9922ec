import { readAnswers, writeAnswers } from "./answers.ts";
import { play } from "./play.ts";
import { writeReport } from "./report/report.ts";
import { formatOutcome, formatSummary } from "./report/terminal.ts";
import { type Outcome, type RealAnswers, runScripts } from "./run.ts";
import type { Answer, Script } from "./script.ts";
import { allScripts } from "./scripts/scripts.ts";
import { startOurs } from "./targets/ours.ts";
import { startReal } from "./targets/real.ts";

export interface ConformanceOptions {
  readonly area?: string;
  readonly only?: string;
  readonly recorded?: boolean;
  readonly record?: boolean;
  /** Folder for the report. */
  readonly report?: string;
}

/**
 * Plays the scripts, prints what differs, and writes the report where one is wanted. Resolves to the exit status: 1 if there
 * is a difference that is not in known-differences.ts. Without a real server the recorded answers are compared with, and a line
 * says so.
 */
export async function conformance(o: ConformanceOptions, print: (line: string) => void): Promise<number> {
  const scripts = allScripts().filter(
    ({ area, name }) => (o.area ?? area) === area && name.includes(o.only ?? ""),
  );
  await using undo = new AsyncDisposableStack();
  const mistakes: string[] = [];
  const ours = await startOurs((line) => mistakes.push(line));
  undo.defer(() => ours.stop());
  const { server, answersOf, record } = await realAnswers(scripts, o, undo, print);

  const begin = Date.now();
  const outcomes = await runScripts(scripts, ours, answersOf, (outcome) => {
    const text = formatOutcome(outcome);
    if (text !== "") print(text);
  });
  await record();
  for (const line of mistakes) print(`the embedded server's own mistake: ${line}`);
  print(formatSummary(outcomes, server, Date.now() - begin));
  if (o.report !== undefined) await writeReport(o.report, outcomes, server, new Date());
  return mistakes.length > 0 || outcomes.some(failed) ? 1 : 0;
}

const failed = ({ unexplained }: Outcome): boolean => unexplained.length > 0;

async function realAnswers(
  scripts: readonly Script[],
  o: ConformanceOptions,
  undo: AsyncDisposableStack,
  print: (line: string) => void,
): Promise<{ server: string; answersOf: RealAnswers; record(): Promise<void> }> {
  const real = o.recorded ? { problem: "--recorded" } : await startReal(print);
  if ("problem" in real) {
    const { server, answersOf } = await readAnswers(scripts);
    print(
      `no real server was started (${real.problem}): the answers recorded from ${server} are compared with`,
    );
    return { server: `${server}, recorded`, answersOf, record: async () => {} };
  }
  undo.defer(() => real.stop());
  const answers = new Map<Script, readonly Answer[]>();
  return {
    server: real.name,
    async answersOf(script) {
      const answer = await play(script, real);
      answers.set(script, answer);
      return answer;
    },
    record: async () => {
      if (o.record) await writeAnswers(real.name, answers);
    },
  };
}

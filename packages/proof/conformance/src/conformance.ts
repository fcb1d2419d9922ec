import { readAnswers, writeAnswers } from "./answers.ts";
import { unusedPlaces } from "./explain.ts";
import { play } from "./play.ts";
import { writeReport } from "./report/report.ts";
import { formatOutcome, formatSummary } from "./report/terminal.ts";
import { type Outcome, type RealAnswers, runScripts } from "./run.ts";
import type { Answer, Script } from "./script.ts";
import { allScripts } from "./scripts/scripts.ts";
import { startOurs, startReal } from "./target.ts";

export interface ConformanceOptions {
  readonly area?: string;
  readonly only?: string;
  readonly recorded?: boolean;
  readonly record?: boolean;
  /** The folder of the report. Default: no report. */
  readonly report?: string;
}

/**
 * Plays the scripts, prints differences, and writes the report. Without a real server, it compares with the recorded
 * answers and prints a line about that. Resolves to the exit status: 1 for a difference that is not in
 * known-differences.ts, for an entry of that file without a difference, and for an internal error of our server.
 */
export async function conformance(
  options: ConformanceOptions,
  print: (line: string) => void,
): Promise<number> {
  const scripts = allScripts().filter(
    ({ area, name }) => (options.area ?? area) === area && name.includes(options.only ?? ""),
  );
  await using undo = new AsyncDisposableStack();
  const errors: string[] = [];
  const ours = await startOurs((line) => errors.push(line));
  undo.defer(() => ours.stop());
  const { server, answersOf, record } = await realAnswers(scripts, options, undo, print);

  const begin = Date.now();
  const outcomes = await runScripts(scripts, ours, answersOf, (outcome) => {
    const text = formatOutcome(outcome);
    if (text !== "") print(text);
  });
  await record();
  for (const line of errors) print(`internal error of the embedded server: ${line}`);
  const unused = unusedPlaces(outcomes);
  for (const place of unused) print(`✗ ${place} no longer differs: remove it from known-differences.ts`);
  print(formatSummary(outcomes, server, Date.now() - begin));
  if (options.report !== undefined) await writeReport(options.report, outcomes, server, new Date());
  return errors.length > 0 || unused.length > 0 || outcomes.some(failed) ? 1 : 0;
}

const failed = ({ unexplained }: Outcome): boolean => unexplained.length > 0;

async function realAnswers(
  scripts: readonly Script[],
  options: ConformanceOptions,
  undo: AsyncDisposableStack,
  print: (line: string) => void,
): Promise<{ server: string; answersOf: RealAnswers; record(): Promise<void> }> {
  const real = options.recorded ? { problem: "--recorded" } : await startReal(print);
  if ("problem" in real) {
    const { server, answersOf } = await readAnswers(scripts);
    print(`comparing with the answers recorded from ${server}: no real server was started (${real.problem})`);
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
      if (options.record) await writeAnswers(real.name, answers);
    },
  };
}

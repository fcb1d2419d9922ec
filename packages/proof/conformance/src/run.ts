import { compare, type Difference } from "./compare.ts";
import { explain } from "./explain.ts";
import type { KnownDifference } from "./known-differences.ts";
import { play } from "./play.ts";
import type { Answer, Script } from "./script.ts";
import type { Target } from "./target.ts";

/** The result of one script. */
export interface Outcome {
  readonly script: Script;
  /** The number of compared answers. */
  readonly compared: number;
  readonly unexplained: readonly Difference[];
  readonly explained: readonly { readonly difference: Difference; readonly known: KnownDifference }[];
}

/** Returns the other server's answers: from the server itself, or recorded ones. */
export type RealAnswers = (script: Script) => Promise<readonly Answer[] | undefined>;

/**
 * Plays scripts on our server, six at a time, and compares. A script without recorded answers is one
 * difference.
 */
export async function runScripts(
  scripts: readonly Script[],
  ours: Target,
  real: RealAnswers,
  done: (outcome: Outcome) => void = () => {},
): Promise<Outcome[]> {
  return inParallel(scripts, async (script) => {
    const [own, others] = await Promise.all([play(script, ours), real(script)]);
    const outcome = judge(script, own, others);
    done(outcome);
    return outcome;
  });
}

function judge(script: Script, own: readonly Answer[], others: readonly Answer[] | undefined): Outcome {
  if (others === undefined) {
    const path = "answers";
    const missing = {
      answer: 0,
      request: "",
      path,
      ours: own.length,
      real: "not recorded: run with --record",
    };
    return { script, compared: 0, unexplained: [missing], explained: [] };
  }
  const unexplained: Difference[] = [];
  const explained: { difference: Difference; known: KnownDifference }[] = [];
  for (const difference of compare(own, others)) {
    const known = explain(script, difference);
    if (known) explained.push({ difference, known });
    else unexplained.push(difference);
  }
  return { script, compared: others.length, unexplained, explained };
}

/** Six at a time: a real server spends most of a script waiting for its own caches. Keeps the order of results. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>, width = 6): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}

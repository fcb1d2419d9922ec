import { drawElection } from "./draw-election.ts";
import { runElection } from "./run-election.ts";

type Print = (line: string) => void;

/** One election with all that happens in it. Returns how many problems it has. */
export async function replayElection(seed: number, print: Print): Promise<number> {
  const election = drawElection(seed);
  print(`election ${seed}: ${JSON.stringify(election.candidates)}`);
  const { problems } = await runElection(election, print);
  for (const problem of problems) print(`✗ ${problem}`);
  if (problems.length === 0) print("✓ every promise was kept");
  return problems.length;
}

export interface ElectionsOptions {
  from: number;
  count: number;
  first?: boolean;
}

export interface ElectionsSummary {
  elections: number;
  failed: number;
  acts: number;
  changes: number;
  seconds: number;
}

/** Many elections, one after the other, each failure with the line that replays it. */
export async function runElections(
  { from, count, first = false }: ElectionsOptions,
  print: Print,
): Promise<ElectionsSummary> {
  const begun = performance.now();
  const sum: ElectionsSummary = { elections: 0, failed: 0, acts: 0, changes: 0, seconds: 0 };
  for (let seed = from; seed < from + count; seed++) {
    const { problems, acts, changes } = await runElection(drawElection(seed));
    sum.elections++;
    sum.acts += acts;
    sum.changes += changes;
    if (problems.length === 0) continue;
    sum.failed++;
    print(
      `✗ seed ${seed}: ${problems.join("\n    ")}\n  replay: pnpm proof faults --elections --seed ${seed}`,
    );
    if (first) break;
  }
  sum.seconds = (performance.now() - begun) / 1_000;
  return sum;
}

/** For a report. */
export function rowsOf({
  elections,
  failed,
  seconds,
  changes,
  acts,
}: ElectionsSummary): [string, string | number][] {
  return [
    ["Elections", elections],
    ["Failed", failed],
    ["Seconds", seconds.toFixed(1)],
    ["Times that another led than before", changes],
    ["Times that a leader acted", acts],
  ];
}

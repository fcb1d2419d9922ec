/** `pnpm proof faults --managers`: exit status 1 when a history breaks a promise. */

import { type Report, writeReport } from "@operator-path/faults";
import { Command, InvalidArgumentError } from "commander";
import { runMutants } from "./mutants/run-mutants.ts";
import { type Kind, oneLine, rowsOf, runMany } from "./run/run-many.ts";
import { runSeed } from "./run/run-seed.ts";
import { runSteady } from "./steady/run-steady.ts";

interface Options {
  pairs?: boolean;
  steady?: boolean;
  objects: number;
  hours: number;
  mutants?: boolean;
  only?: string;
  seed?: number;
  from: number;
  count: number;
  first?: boolean;
  report?: string;
}

const counted = ["What", "How many"] as const;

const program = new Command("proof").description("Proves that controller-runtime keeps its promises.");

program
  .command("faults")
  .description("histories of an operator that faults and crashes happen to, drawn from seeds, and judged")
  .option("--managers", "of managers: without it, of informers")
  .option("--pairs", "two managers and one Lease: pauses, partitions, clocks")
  .option("--seed <seed>", "this one alone, with all that happens in it", number)
  .option("--from <seed>", "the first of many", number, 1)
  .option("--count <number>", "how many", fromOne, 500)
  .option("--first", "stop at the first failure")
  .option(
    "--report <folder>",
    "write what came of it there: managers.md, pairs.md, manager-mutants.md, steady.md",
  )
  .option("--steady", "many objects on the embedded API server settle; then hours pass without a write")
  .option("--objects <number>", "how many, for --steady", fromOne, 1_000)
  .option("--hours <number>", "of the operator's clock, for --steady", fromOne, 11)
  .option("--mutants", "against controller-runtime, or the operator, with a mistake: each must be caught")
  .option("--only <text>", "only mutants whose name has this in it")
  .action(async (options: Options, command: Command) => {
    for (const [flag, needs] of Object.entries({
      only: "mutants",
      objects: "steady",
      hours: "steady",
    } as const)) {
      if (command.getOptionValueSource(flag) === "cli" && !options[needs])
        command.error(`error: --${flag} is for --${needs}, which is not there`);
    }
    process.exitCode = (await run(options, (line) => console.log(line))) === 0 ? 0 : 1;
  });

await program.parseAsync();

/** How much failed. */
async function run(options: Options, print: (line: string) => void): Promise<number> {
  const kind: Kind = options.pairs ? "pairs" : "managers";
  if (options.seed !== undefined) {
    const { problems } = await runSeed(kind, options.seed, print);
    for (const problem of problems) print(`✗ ${problem}`);
    if (problems.length === 0) print("✓ every promise was kept");
    return problems.length;
  }
  if (options.steady) return steady(options, print);
  if (options.mutants) {
    const rows: [string, string][] = [];
    const onMutant = (name: string, fate: string) => void rows.push([name, fate]);
    const escaped = await runMutants({ ...options, onMutant }, print);
    print(escaped === 0 ? "every mutant was caught" : `${escaped} mutants were not caught`);
    const head = ["Mistake", "What became of it"] as const;
    const flags = `--mutants --count ${options.count}`;
    await report(
      { file: "manager-mutants", title: "Mutants of controller-runtime", head, rows },
      options,
      flags,
    );
    return escaped;
  }
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  print(`running ${options.count} histories; a failure prints the line that repeats it, ^C ends`);
  let shownAt = performance.now();
  const onDone = (_: number, done: number) => {
    if (performance.now() - shownAt < 2_000) return;
    shownAt = performance.now();
    print(`  ${done} of ${options.count}`);
  };
  const summary = await runMany({ ...options, kind, onDone, signal: stop.signal }, print);
  print(`${stop.signal.aborted ? "stopped: " : ""}${oneLine(summary)}`);
  const what =
    kind === "pairs"
      ? { file: "pairs", title: "Histories of two managers and one Lease" }
      : { file: "managers", title: "Histories of managers" };
  const flags = `${options.pairs ? "--pairs " : ""}--from ${options.from} --count ${options.count}`;
  await report({ ...what, head: counted, rows: rowsOf(summary) }, options, flags);
  return summary.failed;
}

async function report(
  what: Omit<Report, "command">,
  { report: folder }: Options,
  flags: string,
): Promise<void> {
  if (folder) await writeReport(folder, { ...what, command: `pnpm proof faults --managers ${flags}` });
}

async function steady(options: Options, print: (line: string) => void): Promise<number> {
  const { objects, hours } = options;
  let shownAt = 0;
  const onProgress = (what: string) => {
    if (performance.now() - shownAt < 2_000) return;
    shownAt = performance.now();
    print(`  ${what}`);
  };
  const { problems, ...outcome } = await runSteady({ objects, hours, onProgress });
  for (const problem of problems) print(`✗ ${problem}`);
  const { writesToSettle, laterWrites, renewals, reconciles, seconds } = outcome;
  print(
    `${objects} objects settled with ${writesToSettle} writes; in ${hours} hours ${laterWrites.length} others, ${renewals} renewals, ${reconciles} reconciles in all, ${seconds.toFixed(1)} s`,
  );
  const rows: [string, string | number][] = [
    ["Objects", objects],
    ["Problems", problems.length],
    ["Seconds", seconds.toFixed(1)],
    ["The operator's writes until all had settled", writesToSettle],
    ["Hours of its clock after that", hours],
    ["Its writes in them, its Lease aside", laterWrites.length],
    ["Renewals of its Lease", renewals],
    ["Reconciles in all", reconciles],
  ];
  const flags = `--steady --objects ${objects} --hours ${hours}`;
  await report({ file: "steady", title: "Steady state", head: counted, rows }, options, flags);
  return problems.length;
}

function fromOne(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("A whole number from 1 on is needed.");
}

function number(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError("A whole number from 0 on is needed.");
}

/** `pnpm proof faults`: exit status 1 when a history breaks a promise. */
import { Command, InvalidArgumentError } from "commander";
import { replayElection, rowsOf as rowsOfElections, runElections } from "./election/command.ts";
import { oneLine, replay, rowsOf, runMany } from "./history/command.ts";
import { runMutants } from "./mutants/run-mutants.ts";
import { type RealFlags, runReal } from "./real/run-real.ts";
import type { Provider } from "./real/target.ts";
import { type Report, writeReport } from "./report.ts";
import { runSoak, type SoakFlags } from "./soak/command.ts";

const program = new Command("proof").description(
  "Proves that informers survive what networks and servers do.",
);

interface Options extends RealFlags, SoakFlags {
  real?: boolean;
  soak?: boolean;
  seed?: number;
  shrink?: boolean;
  keep?: number[];
  from: number;
  count: number;
  first?: boolean;
  report?: string;
  mutants?: boolean;
  elections?: boolean;
  only?: string;
}

const counted = ["What", "How many"] as const;

program
  .command("faults")
  .description("histories of writes and faults, drawn from seeds, and judged")
  .option("--seed <seed>", "this one alone, with all that happens in it", number)
  .option("--shrink", "with --seed: leave out steps as long as it fails")
  .option("--keep <numbers>", "with --seed: these steps alone", numbers)
  .option("--from <seed>", "the first of many", number, 1)
  .option("--count <number>", "how many", fromOne, 500)
  .option("--first", "stop at the first failure")
  .option("--report <folder>", "write what came of it there: faults.md, elections.md, mutants.md, soak.md")
  .addHelpText("after", "\nOf managers instead of informers: pnpm proof faults --managers --help")
  .option("--elections", "of leaders: candidates with clocks, pauses and networks of their own")
  .option("--mutants", "against informers with a mistake: each must be caught")
  .option("--only <text>", "only mutants whose name has this in it")
  .option(
    "--real",
    "with the real clock, through a TCP proxy, on the embedded server and a real kube-apiserver",
  )
  .option("--provider <name>", "embedded or envtest, for --real; default: both", provider)
  .option("--soak", "churn and faults for a long time: caches equal to lists, memory flat")
  .option("--minutes <number>", "how long, for --soak", fromOne, 60)
  .option("--objects <number>", "how many, for --soak", number, 20_000)
  .action(async (options: Options, command: Command) => {
    for (const [flag, needs] of Object.entries({
      only: "mutants",
      minutes: "soak",
      objects: "soak",
    } as const)) {
      if (command.getOptionValueSource(flag) === "cli" && !options[needs])
        command.error(`error: --${flag} is for --${needs}, which is not there`);
    }
    process.exitCode = (await run(options, (line) => console.log(line))) === 0 ? 0 : 1;
  });

await program.parseAsync();

/** How much failed. */
async function run(options: Options, print: (line: string) => void): Promise<number> {
  if (options.real) return runReal(options, print);
  if (options.soak) return runSoak(options, print);
  if (options.elections) return elections(options, print);
  if (options.seed !== undefined) return replay({ ...options, seed: options.seed }, print);
  if (options.mutants) {
    const rows: [string, string][] = [];
    const onMutant = (name: string, fate: string) => void rows.push([name, fate]);
    const escaped = await runMutants({ ...options, onMutant }, print);
    print(escaped === 0 ? "every mutant was caught" : `${escaped} mutants were not caught`);
    const head = ["Mistake", "What became of it"] as const;
    await report({ file: "mutants", title: "Mutants of informers", head, rows }, options, "--mutants ");
    return escaped;
  }
  if (options.keep || options.shrink) {
    print("--keep and --shrink are for one history: say which with --seed");
    return 1;
  }
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  print(`running ${options.count} histories; a failure prints the line that repeats it, ^C ends`);
  let shownAt = performance.now();
  const onProgress = (done: number) => {
    if (performance.now() - shownAt < 2_000) return;
    shownAt = performance.now();
    print(`  ${done} of ${options.count}`);
  };
  const summary = await runMany({ ...options, onProgress, signal: stop.signal }, print);
  print(`${stop.signal.aborted ? "stopped: " : ""}${oneLine(summary)}`);
  const rows = rowsOf(summary);
  await report(
    { file: "faults", title: "Fault histories", head: counted, rows },
    options,
    `--from ${options.from} `,
  );
  return summary.failed;
}

async function report(
  what: Omit<Report, "command">,
  { report: folder, count }: Options,
  flags: string,
): Promise<void> {
  if (folder) await writeReport(folder, { ...what, command: `pnpm proof faults ${flags}--count ${count}` });
}

async function elections(options: Options, print: (line: string) => void): Promise<number> {
  if (options.seed !== undefined) return replayElection(options.seed, print);
  const summary = await runElections(options, print);
  const { elections, failed, acts, changes, seconds } = summary;
  print(
    `${elections} elections, ${failed} failed, ${seconds.toFixed(1)} s: ${changes} times another leader, ${acts} acts`,
  );
  const rows = rowsOfElections(summary);
  await report({ file: "elections", title: "Elections", head: counted, rows }, options, "--elections ");
  return failed;
}

function fromOne(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("A whole number from 1 on is needed.");
}

function numbers(text: string): number[] {
  return text.split(",").map(number);
}

function number(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError("A whole number from 0 on is needed.");
}

function provider(text: string): Provider {
  if (text === "embedded" || text === "envtest") return text;
  throw new InvalidArgumentError("embedded or envtest.");
}

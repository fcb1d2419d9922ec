import { Command, InvalidArgumentError } from "commander";
import { type RealFlags, runReal } from "./informers/real/run-real.ts";
import type { Provider } from "./informers/real/target.ts";
import { runSoak, type SoakFlags } from "./informers/soak/soak.ts";
import { informerMutants } from "./mutants/informers.ts";
import { managerMutants } from "./mutants/managers.ts";
import { runMutants } from "./mutants/run-mutants.ts";
import { flagsOf, type HistoryKind } from "./run/history-kind.ts";
import { replay } from "./run/replay.ts";
import { type Report, writeReport } from "./run/report.ts";
import { oneLine, rowsOf, runMany } from "./run/run-many.ts";

interface Options extends RealFlags, Omit<SoakFlags, "objects"> {
  elections?: boolean;
  managers?: boolean;
  pairs?: boolean;
  keep?: number[];
  shrink?: boolean;
  first?: boolean;
  mutants?: boolean;
  only?: string;
  real?: boolean;
  soak?: boolean;
  steady?: boolean;
  objects?: number;
  hours: number;
}

type Print = (line: string) => void;

/** Flags that have no effect without another one. */
const needs = {
  hours: ["steady"],
  keep: ["seed"],
  minutes: ["soak"],
  objects: ["soak", "steady"],
  only: ["mutants"],
  pairs: ["managers"],
  provider: ["real"],
  shrink: ["seed"],
  steady: ["managers"],
} as const;

/** Returns the command line of `pnpm proof faults`. */
export function createProgram(): Command {
  const program = new Command("proof").description(
    "Proves that informers and operators survive faults of networks, servers and processes.",
  );

  program
    .command("faults")
    .description("runs histories of writes and faults that are drawn from seeds, and judges them")
    .option(
      "--elections",
      "candidates for a Lease, each with its own clocks and network, instead of informers",
    )
    .option("--managers", "an operator in a manager of controller-runtime that may crash at any write")
    .option(
      "--pairs",
      "with --managers: two managers and one Lease, with pauses, partitions and clock errors",
    )
    .option("--seed <seed>", "run only this history, and print everything that happens in it", number)
    .option("--keep <numbers>", "with --seed: run only these steps", numbers)
    .option("--shrink", "with --seed: leave out steps as long as the history fails")
    .option("--from <seed>", "the first of many seeds", number, 1)
    .option("--count <number>", "the number of histories", fromOne, 500)
    .option("--first", "stop at the first failure")
    .option("--report <folder>", "write the results there, as a Markdown file")
    .option("--mutants", "run against libraries with a known mistake; a history must catch each one")
    .option("--only <text>", "with --mutants: only mutants whose name contains this text")
    .option("--real", "real clock and TCP proxy, on the embedded server and a real kube-apiserver")
    .option("--provider <name>", "with --real: embedded or envtest (default: both)", provider)
    .option("--soak", "churn and faults for a long time: caches equal lists, memory stays flat")
    .option("--minutes <number>", "with --soak: how long", fromOne, 60)
    .option(
      "--steady",
      "with --managers: many objects on the embedded API server, then hours without a write",
    )
    .option("--hours <number>", "with --steady: hours of the operator's clock", fromOne, 11)
    .option("--objects <number>", "how many: 20000 with --soak, 1000 with --steady", fromOne)
    .action(async (options: Options, command: Command) => {
      for (const [flag, others] of Object.entries(needs)) {
        if (
          command.getOptionValueSource(flag) === "cli" &&
          !others.some((other) => options[other] !== undefined)
        )
          command.error(`error: --${flag} needs ${others.map((other) => `--${other}`).join(" or ")}`);
      }
      process.exitCode = (await run(options, (line) => console.log(line))) === 0 ? 0 : 1;
    });
  return program;
}

/** Returns the number of failures. */
async function run(options: Options, print: Print): Promise<number> {
  if (options.real) return runReal(options, print);
  if (options.soak) return runSoak({ ...options, objects: options.objects ?? 20_000 }, print);
  if (options.steady) return steady(options, print);
  const kind = kindOf(options);
  if (options.mutants) return mutants(kind, options, print);
  if (options.seed !== undefined) return replay({ ...options, kind, seed: options.seed }, print);
  return many(kind, options, print);
}

function kindOf({ elections, managers, pairs }: Options): HistoryKind {
  if (elections) return "elections";
  if (pairs) return "pairs";
  return managers ? "managers" : "informers";
}

async function many(kind: HistoryKind, options: Options, print: Print): Promise<number> {
  const { count, from } = options;
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  print(`running ${count} histories; a failure prints the line that repeats it, ^C ends`);
  const progress = everyTwoSeconds(print);
  const onDone = (_seed: number, done: number) => progress(`  ${done} of ${count}`);
  const summary = await runMany({ ...options, kind, onDone, signal: stop.signal }, print);
  print(`${stop.signal.aborted ? "stopped: " : ""}${oneLine(summary)}`);
  const title = {
    informers: "Histories of informers",
    elections: "Elections",
    managers: "Histories of managers",
    pairs: "Histories of two managers and one Lease",
  }[kind];
  const file = kind === "informers" ? "faults" : kind;
  const flags = [...flagsOf[kind], "--from", from, "--count", count];
  await report(options, flags, { file, title, head: ["What", "How many"], rows: rowsOf(summary) });
  return summary.failed;
}

async function mutants(kind: HistoryKind, options: Options, print: Print): Promise<number> {
  const { count, only, managers = false } = options;
  const rows: [string, string][] = [];
  const onMutant = (name: string, result: string) => void rows.push([name, result]);
  const all = managers ? managerMutants : informerMutants;
  const escaped = await runMutants({ mutants: all, kind, count, ...(only ? { only } : {}), onMutant }, print);
  print(escaped === 0 ? "every mutant was caught" : `mutants that were not caught: ${escaped}`);
  const named = managers
    ? { file: "manager-mutants", title: "Mutants of controller-runtime" }
    : { file: "mutants", title: "Mutants of informers" };
  const flags = [...flagsOf[kind], "--mutants", "--count", count];
  await report(options, flags, { ...named, head: ["Mistake", "Result"], rows });
  return escaped;
}

async function steady(options: Options, print: Print): Promise<number> {
  const { objects = 1_000, hours } = options;
  // Loads the API server: only this flag needs it.
  const { runSteady } = await import("./managers/steady/run-steady.ts");
  const onProgress = everyTwoSeconds((line) => print(`  ${line}`));
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
    ["Writes of the operator until everything had settled", writesToSettle],
    ["Hours of its clock after that", hours],
    ["Its writes in those hours, without its Lease", laterWrites.length],
    ["Renewals of its Lease", renewals],
    ["Reconciles in all", reconciles],
  ];
  const flags = ["--managers", "--steady", "--objects", objects, "--hours", hours];
  await report(options, flags, { file: "steady", title: "Steady state", head: ["What", "How many"], rows });
  return problems.length;
}

async function report(
  { report: folder }: Options,
  flags: readonly (string | number)[],
  content: Omit<Report, "command">,
): Promise<void> {
  if (folder) await writeReport(folder, { ...content, command: `pnpm proof faults ${flags.join(" ")}` });
}

/** Passes on at most one line in two seconds. */
function everyTwoSeconds(print: Print): Print {
  let printedAt = performance.now();
  return (line) => {
    if (performance.now() - printedAt < 2_000) return;
    printedAt = performance.now();
    print(line);
  };
}

function fromOne(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("expected a whole number of at least 1.");
}

function numbers(text: string): number[] {
  return text.split(",").map(number);
}

function number(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError("expected a whole number of at least 0.");
}

function provider(text: string): Provider {
  if (text === "embedded" || text === "envtest") return text;
  throw new InvalidArgumentError("expected embedded or envtest.");
}

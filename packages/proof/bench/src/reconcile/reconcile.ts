import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findControlPlane, ToolNotFoundError } from "@operator-path/tools";
import { noPeer } from "../real-control-plane.ts";
import { buildGoPeer } from "../shared/go-peer.ts";
import { machine, updateBlock } from "../shared/markdown.ts";
import { profileLines } from "../shared/profile.ts";
import {
  createPace,
  type Load,
  longPlan,
  only,
  type Plan,
  planRound,
  quickPlan,
  type SubjectName,
  subjects,
  type Task,
  usualPlan,
} from "./plan.ts";
import { figuresLine, figuresTable, headlines, loadTitle, memoryLines, plot, verdicts } from "./report.ts";
import { createResults, type Results } from "./results.ts";
import { bundleOperator, nodeFlags, type RunOptions, runTask } from "./run.ts";

export interface ReconcileBenchOptions {
  readonly runs: number;
  /** Names of subjects; empty: all. */
  readonly only: readonly string[];
  /** Few objects, to see that it works. */
  readonly quick: boolean;
  /** Also the loads that take minutes. */
  readonly long: boolean;
  /**
   * The folder for reconcile.json, .md and .svg. Also updates a README.md beside it that has a place for the
   * figures.
   */
  readonly write: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Compares an operator on our controller-runtime with the same one on Go's, on the same real control plane,
 * and measures ours on the embedded cluster. Each measurement is a fresh process with a fresh cluster, and
 * the subjects take turns.
 *
 * @throws Error if measurements failed, after everything was printed; the signal's reason if it aborts
 */
export async function benchReconcile(options: ReconcileBenchOptions): Promise<void> {
  const { print, signal } = options;
  signal.throwIfAborted();
  const plan = options.quick ? quickPlan : options.long ? longPlan : usualPlan;
  const { measured, programs, goPeer, missing } = await find(only(options.only), options);
  const folder = await mkdtemp(join(tmpdir(), "operator-path-bench-"));
  try {
    const operator = await bundleOperator(join(folder, "bundle"));
    const setting: RunOptions = { operator, programs, goPeer, signal };
    const { results, failures, left } = await measure(plan, measured, options, setting);
    const header = headerLines(results, options, [...missing, ...left]);
    const judged = options.quick ? { lines: [], missed: [] } : verdicts(results);
    const where = memoryLines(results).flatMap((line) => ["", line]);
    const lines = [...header, "", ...figuresTable(results), "", ...judged.lines, ...where];
    print("");
    for (const line of lines) print(line);
    const profiles: string[] = [];
    // One is enough, and the shortest.
    for (const load of judged.missed.toSorted((a, b) => a.objects - b.objects).slice(0, 1)) {
      profiles.push(...(await profileOf(load, join(folder, "profile"), setting)));
    }
    for (const line of profiles) print(line);
    if (options.write !== undefined) {
      const all = [...lines, ...(profiles.length > 0 ? ["", "```", ...profiles.slice(1), "```"] : [])];
      for (const file of await writeReport(options.write, results, header, all)) print(`wrote ${file}`);
    }
    if (failures.length > 0)
      throw new Error(`${failures.length} measurements failed: ${failures.join("; ")}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the subjects that can be measured here, and messages about the others. */
async function find(asked: readonly SubjectName[], { env, print, signal }: ReconcileBenchOptions) {
  const missing: string[] = [];
  const isReal = (subject: SubjectName) => subjects[subject].server === "real";
  let measured = asked;
  const programs = asked.some(isReal)
    ? await findControlPlane({ env, mayBuild: false, controllerManager: true }).catch((error: unknown) => {
        if (error instanceof ToolNotFoundError) return undefined;
        throw error;
      })
    : undefined;
  if (!programs && asked.some(isReal)) {
    missing.push(noPeer);
    measured = measured.filter((subject) => !isReal(subject));
  }
  const peer = measured.includes("go")
    ? await buildGoPeer("controller-runtime", { env, print, signal })
    : undefined;
  if (peer && "missing" in peer) {
    missing.push(peer.missing);
    measured = measured.filter((subject) => subject !== "go");
  }
  return { measured, programs, goPeer: peer && "program" in peer ? peer.program : undefined, missing };
}

interface Measured {
  readonly results: Results;
  readonly failures: string[];
  /** Loads that were not measured, with the reason. */
  readonly left: string[];
}

async function measure(
  plan: Plan,
  measured: readonly SubjectName[],
  { runs, print, signal }: ReconcileBenchOptions,
  setting: RunOptions,
): Promise<Measured> {
  const results = createResults();
  const failures: string[] = [];
  const left: string[] = [];
  const pace = createPace();
  const begin = performance.now();

  async function run(task: Omit<Task, "profile">, round: number): Promise<void> {
    const began = performance.now();
    const figures = await runTask(task, setting).catch((error: unknown) => {
      // A failed measurement must not lose the others' figures.
      signal.throwIfAborted();
      failures.push(error instanceof Error ? error.message : String(error));
      return undefined;
    });
    pace.note(task, performance.now() - began);
    if (figures) results.add({ round, task, figures });
    const title = `${subjects[task.subject].title}, ${loadTitle(task)}`;
    print(`${title.padEnd(40)} ${figures ? figuresLine(figures) : "FAILED"}`);
  }

  for (let round = 0; round < runs; round++) {
    for (const task of planRound(plan.loads, round, measured)) await run(task, round);
  }
  for (const load of plan.once) {
    const tasks = planRound([load], 0, measured);
    const more = pace.estimate(tasks);
    if (performance.now() - begin + more > plan.budget) {
      const minutes = (more / 60_000).toFixed(0);
      left.push(
        `${loadTitle(load)}: not measured, since it would take ${minutes} minutes more; --long waits.`,
      );
      continue;
    }
    for (const task of tasks) await run(task, 0);
  }
  return { results, failures, left };
}

function headerLines(
  results: Results,
  { runs, quick }: ReconcileBenchOptions,
  missing: readonly string[],
): string[] {
  const isOnce = ({ objects }: Load) =>
    results.rows.filter(({ task }) => task.objects === objects).every(({ round }) => round === 0);
  const once = results.loads().filter(isOnce).map(loadTitle).join("; ");
  return [
    `Medians of ${runs} ${runs === 1 ? "round" : "rounds"}${once && runs > 1 ? ` (${once}: one)` : ""}; each measurement is a fresh process with a fresh cluster, and the subjects take turns.`,
    machine(),
    `ours: node ${nodeFlags.join(" ")}, bundled by esbuild. Go: controller-runtime 0.24, with its defaults.`,
    ...(quick
      ? ["--quick: too few objects for a comparison with the targets; it only shows that everything works."]
      : []),
    ...missing,
  ];
}

async function profileOf(load: Load, profile: string, setting: RunOptions): Promise<string[]> {
  await runTask({ subject: "ours", ...load, profile }, setting);
  const [file] = await readdir(profile);
  return profileLines(`ours, ${loadTitle(load)}`, join(profile, file ?? ""));
}

async function writeReport(
  folder: string,
  results: Results,
  header: readonly string[],
  lines: readonly string[],
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const contents = {
    "reconcile.json": `${JSON.stringify({ machine: machine(), rows: results.rows }, undefined, 1)}\n`,
    "reconcile.md": ["# pnpm bench reconcile", "", ...lines, ""].join("\n"),
    "reconcile.svg": plot(results),
  };
  const files = Object.keys(contents).map((name) => join(folder, name));
  await Promise.all(Object.entries(contents).map(([name, text]) => writeFile(join(folder, name), text)));
  const readme = join(folder, "..", "README.md");
  const block = [
    ...headlines(results),
    "",
    ...header,
    "[All of it](bench/reconcile.md), [as bars](bench/reconcile.svg).",
  ];
  return (await updateBlock(readme, "reconcile", block)) ? [...files, readme] : files;
}

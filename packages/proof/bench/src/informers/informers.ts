import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildGoPeer } from "../shared/go-peer.ts";
import { machine } from "../shared/markdown.ts";
import { profileLines } from "../shared/profile.ts";
import type { Figures, Measure, Task } from "./measurement.ts";
import { only, planRound, quickSizes, usualSizes } from "./plan.ts";
import { preload, record, runGo, runNode, withServer } from "./processes.ts";
import { createResults, type Results } from "./report/results.ts";
import { figuresLine, tables } from "./report/tables.ts";
import { targetRows } from "./report/targets.ts";
import { writeReport } from "./report/write.ts";
import { goSubjects } from "./subjects/names.ts";

export interface InformersBenchOptions {
  readonly runs: number;
  /** Names of subjects; empty: all. */
  readonly only: readonly string[];
  /** Small numbers of everything, to see that it works. */
  readonly quick: boolean;
  /**
   * The folder for informers.json, .md and .svg. Also updates a README.md beside it that has a place for the
   * figures.
   */
  readonly write: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Compares our informers with those of client-node, of kubernetes-fluent-client and, if Go is installed, of
 * client-go, on the same recorded server. Each measurement is a fresh process with a fresh server, and the
 * subjects take turns.
 *
 * @throws Error if measurements failed, after everything was printed; the signal's reason if it aborts
 */
export async function benchInformers(options: InformersBenchOptions): Promise<void> {
  const { runs, print, signal, env } = options;
  const sizes = options.quick ? quickSizes : usualSizes;
  const planned = only(planRound(sizes), options.only);
  const needsGo = planned.some(({ subject }) => goSubjects.includes(subject));
  const peer = needsGo
    ? await buildGoPeer("client-go", { env, print, signal })
    : { missing: "client-go: not asked for" };
  const tasks = "program" in peer ? planned : planned.filter(({ subject }) => !goSubjects.includes(subject));
  const folder = await mkdtemp(join(tmpdir(), "operator-path-bench-"));
  try {
    const run = await prepare(folder, tasks, options, "program" in peer ? peer.program : "");
    const results = createResults();
    const failures: string[] = [];
    const begin = performance.now();
    for (let round = 0; round < runs; round++) {
      for (const [index, task] of tasks.entries()) {
        const figures = await run(task).catch((error: unknown) => {
          // A failed measurement must not lose the others' figures.
          signal.throwIfAborted();
          failures.push(error instanceof Error ? error.message : String(error));
          return undefined;
        });
        if (figures !== undefined) results.add(round, task, figures);
        const done = round * tasks.length + index + 1;
        print(progress(done, runs * tasks.length, performance.now() - begin, task, figures));
      }
    }
    const rows = options.quick ? { lines: [], missed: [] } : targetRows(results, sizes);
    const header = [
      `Medians of ${runs} ${runs === 1 ? "round" : "rounds"}; each measurement is a fresh process with a fresh server, and the subjects take turns.`,
      machine(),
      ...(options.quick
        ? ["--quick: too few objects for a comparison with the targets; it only shows that everything works."]
        : []),
      ...("missing" in peer && needsGo ? [peer.missing] : []),
    ];
    const report = { header, tables: tables(results, sizes), targets: rows, profiles: [] as string[] };
    print("");
    for (const line of [...header, "", ...report.tables, ...rows.lines]) print(line);
    for (const task of missedTasks(results, rows.missed)) {
      const file = join(folder, "profile");
      await run({ ...task, profile: file });
      const what = `${task.measure} of ${task.subject}, ${task.objects} ${task.resource}`;
      report.profiles.push(...(await profileLines(what, file)));
    }
    for (const line of report.profiles) print(line);
    if (options.write !== undefined) {
      for (const file of await writeReport(options.write, results, sizes, report)) print(`wrote ${file}`);
    }
    if (failures.length > 0)
      throw new Error(`${failures.length} measurements failed: ${failures.join("; ")}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Run = (task: Task) => Promise<Figures[Measure]>;

async function prepare(
  folder: string,
  tasks: readonly Task[],
  { print, signal }: InformersBenchOptions,
  program: string,
): Promise<Run> {
  const files = new Map<string, string>();
  for (const resource of ["pods", "caches"] as const) {
    const most = Math.max(
      0,
      ...tasks.filter((task) => task.resource === resource).map(({ objects }) => objects),
    );
    if (most === 0) continue;
    print(`making ${most} ${resource}`);
    files.set(resource, join(folder, resource));
    await record(join(folder, resource), resource, most, signal);
  }
  const onNode = tasks.map(({ subject }) => subject).filter((subject) => !goSubjects.includes(subject));
  for (const subject of new Set(onNode)) await preload(folder, subject, signal);
  return (task) => {
    const server = {
      folder,
      file: files.get(task.resource) ?? "",
      resource: task.resource,
      objects: task.objects,
    };
    return withServer(server, signal, (reach) =>
      goSubjects.includes(task.subject) ? runGo(program, task, reach, signal) : runNode(task, reach, signal),
    );
  };
}

/** Our tasks to profile: each once, however many of its figures fell short. */
function missedTasks(results: Results, missed: readonly string[]): Task[] {
  return missed.flatMap((name) => results.task(name) ?? []);
}

function progress(
  done: number,
  all: number,
  elapsed: number,
  task: Task,
  figures: Figures[Measure] | undefined,
): string {
  const left = ((elapsed / done) * (all - done)) / 1_000;
  const what = `${task.subject} ${task.measure} ${task.objects} ${task.resource}`;
  const seen = figures ? figuresLine(task.measure, figures) : "FAILED";
  return `${String(done).padStart(4)}/${all}  ${what.padEnd(44)} ${seen}  (${left.toFixed(0)} s left)`;
}

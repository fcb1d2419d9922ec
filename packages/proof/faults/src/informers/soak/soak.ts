import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "@operator-path/client";
import type { AskSubject, AskWorld, Sample, SubjectAnswer, WorldAnswer } from "./messages.ts";
import { startPart } from "./part.ts";
import { plotMemory } from "./plot.ts";
import { bounds, type Checked, type SoakResult, soakReport } from "./report.ts";
import { trendOf } from "./trend.ts";

export interface SoakOptions {
  minutes: number;
  objects: number;
  writesPerSecond: number;
  seed: string;
  /** No faults: the rest is the cost of the informers themselves. */
  calm: boolean;
  /** Milliseconds without a byte after which a watch counts as dead. */
  silence: number;
  /** Milliseconds between two samples of memory. Default 30,000. */
  sampleEvery?: number;
  /** Samples from one comparison with a list to the next. Default 2. */
  checkEvery?: number;
  /** The folder of soak.md and soak.svg. Default: none is written. */
  report?: string;
  /** The command in the report. */
  command: string;
}

/** One check in so many compares every field. */
const deepEvery = 10;

/**
 * Runs informers with churn and faults for some minutes. Compares caches and handlers with a list whenever
 * the churn pauses, and checks that memory stays flat. Resolves to the results; throws if a process of the
 * soak fails.
 */
export async function soak(options: SoakOptions, print: (line: string) => void): Promise<SoakResult> {
  const { minutes, objects, writesPerSecond, seed, calm, silence } = options;
  const { sampleEvery = 30_000, checkEvery = 2 } = options;
  const world = startPart<AskWorld, WorldAnswer>("world.ts");
  const subject = startPart<AskSubject, SubjectAnswer>("subject.ts", { gc: true });
  const samples: (Sample & { at: number })[] = [];
  const checks: Checked[] = [];
  let wrong: readonly string[] = [];
  let state: WorldAnswer;

  try {
    state = await world.ask({ do: "start", seed, objects, writesPerSecond, calm });
    await subject.ask({ do: "start", access: state.access, silence });
    await world.ask({ do: "resume" });
    const began = performance.now();
    const since = () => performance.now() - began;
    print(`${objects} objects, ${writesPerSecond} writes/s, seed ${seed}: both informers have synced`);

    for (let number = 1; since() < minutes * 60_000; number++) {
      await systemClock.sleep(Math.max(0, number * sampleEvery - since()));
      await sample(since());
      if (number % checkEvery !== 0) continue;
      const checked = await check(since(), number % (checkEvery * deepEvery) === 0);
      if (!checked) print(`${inMinutes(since())}; a blackout`);
    }
    while (!(await check(since(), true))) await systemClock.sleep(1_000);
    await sample(since());
    return await finish(since());
  } finally {
    await Promise.all([world.stop(), subject.stop()]);
  }

  async function sample(at: number): Promise<void> {
    const said = await subject.ask({ do: "sample" });
    if (said.sample) samples.push({ at, ...said.sample });
    wrong = said.wrong;
  }

  /** False: not during a blackout. */
  async function check(at: number, deep: boolean): Promise<boolean> {
    state = await world.ask({ do: "pause", deep });
    const { list } = state;
    if (list === undefined) return false;
    const count = list === "" ? 0 : list.split("\n").length;
    // A silent connection is found within `silence`. At worst, a list and back-off follow.
    const within = silence + 180_000;
    const said = await subject.ask({ do: "compare", list, deep, within });
    await world.ask({ do: "resume" });
    wrong = said.wrong;
    const settled = said.settled ?? 0;
    checks.push({ at, deep, settled, objects: count });
    const now = samples.at(-1);
    print(
      [
        inMinutes(at),
        `${count} objects ${wrong.length === 0 ? "equal" : "compared"}${deep ? " in every field" : ""} after ${(settled / 1_000).toFixed(1)} s`,
        `${state.writes} writes, ${now?.events ?? 0} events`,
        `${state.connections} connections, ${state.blackouts} blackouts, ${now?.failures ?? 0} failures`,
        `heap ${megabytes(now?.heapUsed ?? 0)} + ${megabytes(now?.external ?? 0)}, resident ${megabytes(now?.rss ?? 0)}`,
        wrong.length === 0 ? "no problem" : `PROBLEM: ${wrong[0]}`,
      ].join("; "),
    );
    return true;
  }

  async function finish(lasted: number): Promise<SoakResult> {
    const heapPoints = samples.map(({ at, heapUsed, external }) => [at, heapUsed + external] as const);
    const residentPoints = samples.map(({ at, rss }) => [at, rss] as const);
    const heap = trendOf(heapPoints);
    const resident = trendOf(residentPoints);
    const growths = [
      [heap, bounds.heap, "the heap grows"],
      [resident, bounds.resident, "the resident set grows"],
    ] as const;
    const judged = lasted >= bounds.fromMinutes * 60_000 ? growths : [];
    const grown = judged
      .filter(([{ share }, bound]) => share > bound)
      .map(([{ share }, , what]) => `${what} by ${(share * 100).toFixed(1)} % an hour`);
    const result: SoakResult = {
      command: options.command,
      date: new Date(),
      commit: await commit(),
      machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown CPU"}, Node ${process.versions.node}`,
      minutes: lasted / 60_000,
      samples,
      checks,
      writes: state.writes,
      deletions: state.deletions,
      connections: state.connections,
      blackouts: state.blackouts,
      world: state.rss,
      heap,
      resident,
      wrong: [...wrong, ...grown],
    };
    if (options.report !== undefined) {
      await mkdir(options.report, { recursive: true });
      await writeFile(join(options.report, "soak.md"), soakReport(result));
      const series = [
        { name: "heap + external", colour: "#2a7fd4", points: heapPoints },
        { name: "resident", colour: "#d4762a", points: residentPoints },
      ];
      await writeFile(join(options.report, "soak.svg"), plotMemory(series));
    }
    return result;
  }
}

async function commit(): Promise<string> {
  const git = promisify(execFile)("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname });
  return git.then(({ stdout }) => stdout.trim()).catch(() => "unknown");
}

function inMinutes(at: number): string {
  return `${(at / 60_000).toFixed(0).padStart(3)} min`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export interface SoakFlags {
  minutes: number;
  objects: number;
  seed?: number;
  /** The folder of soak.md and soak.svg. Default: the package's folder `reports`. */
  report?: string;
}

/** `pnpm proof faults --soak`. Resolves to the number of problems. */
export async function runSoak(flags: SoakFlags, print: (line: string) => void): Promise<number> {
  const { minutes, objects, seed = 1, report = join(import.meta.dirname, "../../../reports") } = flags;
  const command = `pnpm proof faults --soak --minutes ${minutes} --objects ${objects} --seed ${seed}`;
  const options = { minutes, objects, seed: String(seed), writesPerSecond: 60, silence: 10_000 };
  const { wrong } = await soak({ ...options, calm: false, report, command }, print);
  for (const line of wrong) print(`✗ ${line}`);
  print(
    wrong.length === 0
      ? "✓ every cache and handler equals every list, and memory is flat"
      : `report: ${report}`,
  );
  return wrong.length;
}

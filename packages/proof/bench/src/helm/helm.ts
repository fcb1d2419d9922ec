import { fork } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, customResourceDefinitions, type KubeConfig } from "@operator-path/client";
import { spawnEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { figuresOf } from "../informers/processes.ts";
import { median } from "../sample.ts";
import { machine, table, updateBlock } from "../shared/markdown.ts";
import type { OperatorFigures } from "./operator/measure.ts";
import { webDefinition, webs } from "./operator/web.ts";

export interface HelmBenchOptions {
  readonly runs: number;
  /** Few of everything, to see that it works. */
  readonly quick: boolean;
  /** A README that has a place for the figures. */
  readonly write: string | undefined;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** The target: how many times less processor time. */
const aim = 100;

/**
 * Compares a reconcile of an unchanged release, with everything that the operator's process does meanwhile,
 * with a bare `helm upgrade --dry-run=server`. The chart is that of `helm create`. The API server's time
 * counts for neither.
 */
export async function benchHelm({ runs, quick, write, print, signal }: HelmBenchOptions): Promise<void> {
  const { path } = await findTool("helm");
  const [objects, reconciles, dryRuns] = quick ? [2, 100, 1] : [10, 5_000, 10];
  const folder = await mkdtemp(join(tmpdir(), "operator-path-bench-"));
  const chart = join(folder, "web");
  const ours: OperatorFigures[] = [];
  const bare: number[] = [];
  try {
    await execa(path, ["create", "web"], { cwd: folder, cancelSignal: signal });
    for (let run = 0; run < runs; run++) {
      const cluster = await spawnEmbeddedCluster();
      try {
        const env = { ...process.env, KUBECONFIG: cluster.kubeconfigPath, HOME: folder };
        await populate(cluster.kubeConfig, objects, signal);
        ours.push(await measureOurs({ chart, path, objects, reconciles, env, signal }));
        bare.push(await measureBare({ chart, path, dryRuns, env, signal }));
      } finally {
        await cluster.stop();
      }
      const [figures, cpu] = [ours.at(-1), bare.at(-1)];
      print(`run ${run + 1}: ${figures?.cpu.toFixed(3)} ms beside ${cpu?.toFixed(0)} ms`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [reconcile, dryRun] = [median(ours.map(({ cpu }) => cpu)), median(bare)];
  const ratio = median(bare.map((cpu, run) => cpu / (ours[run]?.cpu ?? Number.NaN)));
  const sum = (of: (figures: OperatorFigures) => number) => ours.reduce((all, one) => all + of(one), 0);
  const lines = [
    ...table(
      ["an unchanged release", "CPU, ms", "processes", "requests"],
      [
        ["`helm upgrade --dry-run=server`", dryRun.toFixed(0), "1", "-"],
        [
          "a reconcile",
          reconcile.toFixed(3),
          String(sum((one) => one.processes)),
          String(sum((one) => one.requests)),
        ],
      ],
    ),
    "",
    `${ratio.toFixed(0)} times less (aim: ${aim}, ${ratio >= aim ? "met" : "MISSED"}). Medians of ${runs} runs: ${dryRuns} dry runs, and ${reconciles} reconciles of ${objects} releases of \`helm create\`'s chart.`,
    machine(),
  ];
  print("");
  for (const line of lines) print(line);
  if (quick) print("--quick: few of everything, which only shows that it works.");
  if (write !== undefined && (await updateBlock(write, "helm", lines))) print(`wrote ${write}`);
}

interface Subject {
  readonly chart: string;
  /** Helm's figures. */
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

async function measureOurs({
  chart,
  path,
  objects,
  reconciles,
  env,
  signal,
}: Subject & { objects: number; reconciles: number }): Promise<OperatorFigures> {
  const file = fileURLToPath(new URL("operator/main.ts", import.meta.url));
  const child = fork(file, [chart, path, String(objects), String(reconciles)], {
    execArgv: ["--conditions=@operator-path/source"],
    env: { ...env, NODE_ENV: "production" },
    // Logs are written to a pipe that is not read.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return figuresOf(child, "the operator", signal, 300_000);
}

/** @returns milliseconds of processor time of one command */
async function measureBare({
  chart,
  path,
  dryRuns,
  env,
  signal,
}: Subject & { dryRuns: number }): Promise<number> {
  const args = ["upgrade", "web-0", chart, "--dry-run=server", "--namespace", "default"];
  const dryRun = () => execa(path, args, { env, extendEnv: false, cancelSignal: signal });
  // The first one fills the discovery cache.
  await dryRun();
  const before = await childrensCpu();
  for (let run = 0; run < dryRuns; run++) await dryRun();
  return ((await childrensCpu()) - before) / dryRuns;
}

/** Creates web-0, web-1, …: new objects for the operator. */
export async function populate(kubeConfig: KubeConfig, objects: number, signal: AbortSignal): Promise<void> {
  const client = createClient(kubeConfig);
  try {
    await client.resource(customResourceDefinitions).create(webDefinition, { signal });
    const own = client.resource(webs).namespace("default");
    for (let index = 0; index < objects; index++) {
      await own.create({ metadata: { name: `web-${index}` }, spec: {} }, { signal });
    }
  } finally {
    await client.close();
  }
}

/** Ticks a second, as Linux reports them on every machine (USER_HZ). */
const ticks = 100;

/**
 * Returns the milliseconds of processor time that the ended children of this process have taken, in steps of
 * ten (proc(5): cutime and cstime, the 16th and 17th field of /proc/self/stat).
 *
 * @throws Error without /proc
 */
export async function childrensCpu(): Promise<number> {
  const stat = await readFile("/proc/self/stat", "utf8").catch(() => {
    throw new Error("cannot read helm's processor time: /proc is missing (run this on Linux)");
  });
  // The second field is the program's name, in brackets, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[13]) + Number(fields[14])) * 1_000) / ticks;
}

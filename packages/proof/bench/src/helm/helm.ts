import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawnEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { execa } from "execa";
import { figuresOf } from "../informers/processes.ts";
import { median } from "../sample.ts";
import { machine } from "../shared/machine.ts";
import { updateBlock } from "../shared/readme-block.ts";
import { table } from "../shared/table.ts";
import { childrensCpu } from "./childrens-cpu.ts";
import type { OperatorFigures } from "./figures.ts";
import { populate } from "./populate.ts";

export interface HelmBenchOptions {
  readonly runs: number;
  /** Few of everything, to see that it works. */
  readonly quick: boolean;
  /** A README with a place for it is brought up to date. */
  readonly write: string | undefined;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** How many times less processor time is aimed at. */
const aim = 100;

/**
 * An unchanged release, looked at: a reconcile of ours, with all that an operator's process does meanwhile, beside a bare `helm
 * upgrade --dry-run=server`. The chart is that of `helm create`; what the API server takes is counted for neither.
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
  if (quick) print("--quick: few of everything; only that it works is shown.");
  if (write !== undefined && (await updateBlock(write, "helm", lines))) print(`wrote ${write}`);
}

interface Subject {
  readonly chart: string;
  /** Of helm. */
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
    // Logs are written, and nobody reads them.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return figuresOf(child, "the operator", signal, 300_000);
}

/** @returns milliseconds of processor time for one */
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

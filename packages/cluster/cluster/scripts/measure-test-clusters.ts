import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { namespaces } from "@operator-path/client";
import { startTestCluster } from "../src/testing-cluster/index.ts";
import { setup, teardown } from "../src/testing-cluster/vitest.ts";

// Measures what a test file pays for its own cluster, until its first namespace exists: milliseconds of wall
// clock, and of CPU in all processes involved. The CPU time does not depend on other load.
//
// node --conditions=@operator-path/source packages/cluster/cluster/scripts/measure-test-clusters.ts

const files = 20;

interface Cost {
  readonly clock: number;
  readonly cpu: number;
}

async function measureOne(): Promise<Cost> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const cluster = await startTestCluster();
  await cluster.client.resource(namespaces).get(await cluster.namespace());
  const cost = { clock: performance.now() - begun, cpu: cpuSince(cpu) };
  await cluster.stop();
  return cost;
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function measureInTurn(): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let file = 0; file < files; file++) costs.push(await measureOne());
  return costs;
}

/** Measures as vitest runs test files: one process per file, and the clusters in vitest's process. */
async function measureProcesses(): Promise<Cost[]> {
  await setup();
  try {
    const costs: Cost[] = [];
    const arguments_ = ["--conditions=@operator-path/source", import.meta.filename, "one"];
    for (let file = 0; file < files; file++) {
      const before = process.cpuUsage();
      const { stdout } = await promisify(execFile)(process.execPath, arguments_);
      const { clock, cpu } = JSON.parse(stdout) as Cost;
      costs.push({ clock, cpu: cpu + cpuSince(before) });
    }
    return costs;
  } finally {
    await teardown();
  }
}

function say(what: string, [first, ...others]: Cost[]): void {
  const summary = (value: (cost: Cost) => number) => {
    const sorted = others.map(value).toSorted((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return `first ${ms(first && value(first))}, then median ${ms(middle)}, longest ${ms(sorted.at(-1))}`;
  };
  console.log(`${what}\n  clock: ${summary(({ clock }) => clock)}\n  CPU:   ${summary(({ cpu }) => cpu)}`);
}

function ms(value = 0): string {
  return `${Math.round(value)} ms`;
}

if (process.argv[2] === "one") console.log(JSON.stringify(await measureOne()));
else {
  console.log(`Node ${process.version}, ${availableParallelism()} CPUs, ${files} clusters in sequence`);
  say("in one process", await measureInTurn());
  say("one process each, clusters in vitest's process", await measureProcesses());
}

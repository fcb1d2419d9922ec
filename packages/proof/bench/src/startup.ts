import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findPeer, noPeer, timeRealControlPlane } from "./real-control-plane.ts";
import { median, type Sample } from "./sample.ts";

export interface StartupOptions {
  readonly runs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
}

/**
 * Measures the time to the first answered request of our API server alone and of the whole embedded cluster
 * (until it accepts Pods), and the time until etcd with kube-apiserver is ready, if found. Each run is a
 * fresh process, and the subjects take turns, so that a slow moment of the machine affects all of them.
 */
export async function benchStartup({ runs, env, print }: StartupOptions): Promise<void> {
  const peer = await findPeer(env);
  const server: Sample[] = [];
  const cluster: Sample[] = [];
  const real: number[] = [];
  for (let run = 0; run < runs; run++) {
    server.push(await freshProcess("apiserver"));
    cluster.push(await freshProcess("cluster"));
    if (peer !== undefined) real.push(await timeRealControlPlane(peer));
  }
  const ours = [
    ["embedded API server", server],
    ["embedded cluster, ready for Pods", cluster],
  ] as const;

  print(`First answered request (GET /api/v1/nodes), medians of ${runs} fresh processes, ms.`);
  print(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} CPUs.`);
  print(
    "from start(): from the call in a process that has loaded its modules; a real control plane has no such moment,",
  );
  print("so its ratio there compares its whole start with our call.");
  print("");
  print(row("", "from start()", "from the process's start"));
  for (const [name, samples] of ours) print(row(name, ms(sinceCall(samples)), ms(sinceBirth(samples))));
  if (real.length === 0) {
    print(noPeer);
    return;
  }
  print(row("etcd + kube-apiserver, ready", "-", ms(median(real))));
  print("");
  const times = (value: number): string => `${(median(real) / value).toFixed(1)} ×`;
  print(row("real / embedded API server", times(sinceCall(server)), times(sinceBirth(server))));
  print(row("real / embedded cluster", times(sinceCall(cluster)), times(sinceBirth(cluster))));
}

async function freshProcess(what: "apiserver" | "cluster"): Promise<Sample> {
  const program = fileURLToPath(new URL("fresh-process.ts", import.meta.url));
  const args = ["--conditions=@operator-path/source", program, what];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Sample;
}

const sinceCall = (samples: readonly Sample[]): number =>
  median(samples.map(({ called, answered }) => answered - called));
const sinceBirth = (samples: readonly Sample[]): number => median(samples.map(({ answered }) => answered));
const ms = (value: number): string => value.toFixed(0);
const row = (...[name, call, birth]: readonly [string, string, string]): string =>
  `${name.padEnd(34)}${call.padStart(14)}  ${birth.padStart(24)}`;

import { cpus } from "node:os";
import { findPeer, noPeer } from "../real-control-plane.ts";
import { median } from "../sample.ts";
import { type Measured, measure, type Sizes, usualSizes } from "./scenarios.ts";
import { type Subject, startEmbedded, startReal } from "./subject.ts";

export interface ApiServerBenchOptions {
  readonly runs: number;
  readonly env: NodeJS.ProcessEnv;
  readonly print: (line: string) => void;
  readonly sizes?: Sizes;
}

/** Name, unit, and whether less is better. */
const figures: readonly [keyof Measured, string, "more" | "less", (value: number) => string][] = [
  ["createsPerSecond", "creates a second", "more", (value) => value.toFixed(0)],
  ["getP50", "GET, median, ms", "less", (value) => value.toFixed(2)],
  ["getP99", "GET, p99, ms", "less", (value) => value.toFixed(2)],
  ["list500", "list of 500 Pods, ms", "less", (value) => value.toFixed(1)],
  ["fanOutPerSecond", "watch events a second, 100 clients", "more", (value) => value.toFixed(0)],
  ["crowdedP99", "GET, p99, ms, 5,000 idle watches", "less", (value) => value.toFixed(2)],
  ["memory", "memory for 20,000 Pods, MiB", "less", (value) => (value / 2 ** 20).toFixed(0)],
];

/**
 * Compares the embedded API server with a real etcd and kube-apiserver, if found, under the same load from
 * the same client, over TLS on loopback. Each run has fresh processes, and the two take turns.
 */
export async function benchApiServer(o: ApiServerBenchOptions): Promise<void> {
  const { runs, print, sizes = usualSizes } = o;
  const peer = await findPeer(o.env);
  const ours: Measured[] = [];
  const real: Measured[] = [];
  for (let run = 0; run < runs; run++) {
    ours.push(await withSubject(startEmbedded(), sizes));
    if (peer !== undefined) real.push(await withSubject(startReal(peer), sizes));
  }
  print(`API servers under the same load, medians of ${runs} fresh processes each.`);
  print(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} CPUs.`);
  if (peer === undefined) print(noPeer);
  print("");
  print(row("", "embedded", "kube-apiserver + etcd", "we are"));
  for (const [key, name, better, show] of figures) {
    const own = median(ours.map((measured) => measured[key]));
    if (real.length === 0) {
      print(row(name, show(own), "-", "-"));
      continue;
    }
    const other = median(real.map((measured) => measured[key]));
    const ratio = better === "more" ? own / other : other / own;
    print(row(name, show(own), show(other), `${ratio.toFixed(1)} × ${ratio >= 1 ? "ahead" : "behind"}`));
  }
}

async function withSubject(starting: Promise<Subject>, sizes: Sizes): Promise<Measured> {
  const subject = await starting;
  try {
    return await measure(subject, sizes);
  } finally {
    await subject.stop();
  }
}

const row = (...[name, ours, real, ratio]: readonly [string, string, string, string]): string =>
  `${name.padEnd(36)}${ours.padStart(10)}${real.padStart(24)}${ratio.padStart(14)}`;

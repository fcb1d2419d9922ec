import { clusterNeeds, inGigabytes } from "@operator-path/kind";
import type { Finding } from "../finding.ts";
import { giveMemory } from "../mending/mend-system.ts";
import type { Probe, Scene } from "../probe.ts";
import { readText } from "../read-text.ts";

const gigabyte = 2 ** 30;
/** Two pages side by side, with all their processes, used up to 1.1 GB. */
const forEmbedded = 2 * gigabyte;

export const memoryProbe: Probe = {
  subject: "memory",
  neededFor: ["embedded", "kind", "existing"],
  look: async (scene) => [await look(scene)],
};

async function look({ machine, system, engines }: Scene): Promise<Finding> {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec((await readText(machine, "proc/meminfo")) ?? "")?.[1];
  // The free memory of macOS is only a small part of what a program can get.
  const own = available === undefined ? machine.memory : Number(available) * 1024;
  const engine = (await engines).find(({ status }) => status === "ready");
  const theirs = engine?.elsewhere ? engine.memory : undefined;
  const found = `${show(own)} ${available ? "available" : "in total"}${theirs === undefined ? "" : `, ${show(theirs)} for containers`}`;
  const base = { subject: "memory", found, neededFor: memoryProbe.neededFor };
  if (own < forEmbedded) {
    const details = [
      `The pages need ${show(forEmbedded)} to run side by side. pnpm verify --jobs 1 needs less.`,
    ];
    return { ...base, state: "weak", details, mend: giveMemory(system) };
  }
  const weak = { ...base, state: "weak", neededFor: ["kind"], mend: giveMemory(system) } as const;
  // The kernel of a virtual machine keeps a tenth of its memory.
  if (theirs !== undefined && theirs < clusterNeeds.virtualMachine * 0.9) {
    const wanted = inGigabytes(clusterNeeds.virtualMachine);
    return {
      ...weak,
      details: [`The machine that runs the nodes should have ${wanted}. With less, a node may not start.`],
    };
  }
  const nodes = inGigabytes(clusterNeeds.memory);
  if (engine?.elsewhere === undefined && own < forEmbedded + clusterNeeds.memory) {
    const details = [
      `kind's nodes need ${nodes}, in addition to the ${show(forEmbedded)} of the pages. With less, a node may not start.`,
    ];
    return { ...weak, details };
  }
  return { ...base, state: "ok" };
}

/** Formats bytes as binary gigabytes: `5.2 GB`. */
export function show(bytes: number): string {
  const value = bytes / gigabyte;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} GB`;
}

import type { Finding } from "../finding.ts";
import { giveMemory } from "../mending/mend-system.ts";
import type { Probe, Scene } from "../probe.ts";
import { readText } from "../read-text.ts";

const gigabyte = 2 ** 30;
/** Two pages side by side, with all that they start, have been seen to use 1.1 GB. */
const forEmbedded = 2 * gigabyte;
/** Two nodes and a registry have been seen to use 1 GB beside that; a node needs some at its start that it gives back. */
const forKind = 4 * gigabyte;

export const memoryProbe: Probe = {
  subject: "memory",
  neededFor: ["embedded", "kind", "existing"],
  look: async (scene) => [await look(scene)],
};

async function look({ machine, system, engines }: Scene): Promise<Finding> {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec((await readText(machine, "proc/meminfo")) ?? "")?.[1];
  // What macOS calls free is a small part of what a program can have.
  const own = available === undefined ? machine.memory : Number(available) * 1024;
  const engine = (await engines).find(({ status }) => status === "ready");
  // On macOS, and with Docker Desktop, containers have a virtual machine's.
  const virtual = engine?.memory !== undefined && engine.memory < machine.memory * 0.9;
  const forContainers = virtual ? Math.min(engine.memory ?? own, own) : own;
  const found = `${show(own)} ${available ? "available" : "in all"}${virtual ? `, ${show(engine.memory ?? 0)} for containers` : ""}`;
  const base = { subject: "memory", found, neededFor: memoryProbe.neededFor };
  if (own < forEmbedded) {
    const details = [
      `The pages want ${show(forEmbedded)} to run side by side; pnpm verify --jobs 1 wants less.`,
    ];
    return { ...base, state: "weak", details, mend: giveMemory(system) };
  }
  if (forContainers < forKind) {
    const details = [`kind wants ${show(forKind)}; with less a node may not come up.`];
    return { ...base, state: "weak", neededFor: ["kind"], details, mend: giveMemory(system) };
  }
  return { ...base, state: "ok" };
}

/** `5.2 GB`, as binary ones. */
export function show(bytes: number): string {
  const value = bytes / gigabyte;
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} GB`;
}

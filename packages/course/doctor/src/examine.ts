import { lookForEngines } from "./engine.ts";
import type { Finding } from "./finding.ts";
import type { Machine } from "./machine.ts";
import type { Probe } from "./probe.ts";
import { cgroupProbe } from "./probes/cgroup.ts";
import { helmProbe, kindProbe, kubectlProbe } from "./probes/cluster-tools.ts";
import { diskProbe } from "./probes/disk.ts";
import { engineProbe } from "./probes/engine.ts";
import { goProbe } from "./probes/go.ts";
import { inotifyProbe } from "./probes/inotify.ts";
import { kubeconfigProbe } from "./probes/kubeconfig.ts";
import { memoryProbe } from "./probes/memory.ts";
import { nodeProbe } from "./probes/node.ts";
import { nodeImageProbe } from "./probes/node-image.ts";
import { operatorSdkProbe } from "./probes/operator-sdk.ts";
import { pnpmProbe } from "./probes/pnpm.ts";
import { portsProbe } from "./probes/ports.ts";
import { rootlessProbe } from "./probes/rootless.ts";
import { makeProbe, shellProbe } from "./probes/shell-commands.ts";
import { systemProbe } from "./probes/system.ts";
import { detectSystem, type System } from "./system.ts";

/** In the order of the table: what everybody needs first. */
export const allProbes: readonly Probe[] = [
  systemProbe,
  shellProbe,
  nodeProbe,
  pnpmProbe,
  makeProbe,
  kubectlProbe,
  helmProbe,
  memoryProbe,
  diskProbe,
  portsProbe(),
  engineProbe,
  kindProbe,
  nodeImageProbe,
  inotifyProbe,
  cgroupProbe,
  rootlessProbe,
  kubeconfigProbe,
  goProbe,
  operatorSdkProbe,
];

export interface ExamineOptions {
  /** Whose commands mend. Default: the machine's own. */
  readonly system?: System;
  /** Default: all. */
  readonly probes?: readonly Probe[];
}

/**
 * Looks at a machine. All probes run side by side, each with a time limit of its own; one that hangs, or throws, is a
 * finding too. Nothing is changed but that tools which came by npm are unpacked into the cache; nothing is downloaded, no
 * cluster is asked, no login program is run. Never throws.
 */
export async function examine(machine: Machine, options: ExamineOptions = {}): Promise<Finding[]> {
  const { system = await detectSystem(machine), probes = allProbes } = options;
  const scene = { machine, system, engines: lookForEngines(machine).catch(() => []) };
  // On Windows itself only one thing is to be said.
  const wanted = system.family === "windows" ? probes.filter((probe) => probe === systemProbe) : probes;
  // Some ask an engine, and then two programs more.
  const limit = machine.enginePatience + machine.patience * 2;
  const found = await Promise.all(wanted.map((probe) => within(limit, probe, probe.look(scene))));
  return found.flat();
}

async function within(
  limit: number,
  { subject, neededFor }: Probe,
  looking: Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<Finding[]>();
  const timer = setTimeout(
    () => resolve([{ subject, neededFor, state: "missing", found: `no answer within ${limit / 1000} s` }]),
    limit,
  );
  const thrown = (error: unknown): Finding[] => [
    {
      subject,
      neededFor,
      state: "missing",
      found: "could not be looked at",
      details: [error instanceof Error ? error.message : String(error)],
    },
  ];
  try {
    return await Promise.race([looking.catch(thrown), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What is missing for `goal`. */
export function missingFor(findings: readonly Finding[], goal: Finding["neededFor"][number]): Finding[] {
  return findings.filter(({ state, neededFor }) => state === "missing" && neededFor.includes(goal));
}

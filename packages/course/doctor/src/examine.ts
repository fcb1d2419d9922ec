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

/** The probes in the order of the table. Those that every page needs come first. */
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
  /** The system whose commands are printed. Default: the machine's own. */
  readonly system?: System;
  /** Default: all. */
  readonly probes?: readonly Probe[];
}

/**
 * Examines a machine. All probes run side by side, each with its own time limit. A probe that hangs or throws
 * is a finding too. Changes nothing, except that tools from npm are unpacked into the cache. Downloads
 * nothing, sends no request to a cluster, and runs no login program. Never throws.
 */
export async function examine(machine: Machine, options: ExamineOptions = {}): Promise<Finding[]> {
  const { system = await detectSystem(machine), probes = allProbes } = options;
  const scene = { machine, system, engines: lookForEngines(machine).catch(() => []) };
  // On Windows itself, only the advice to use WSL is useful.
  const wanted = system.family === "windows" ? probes.filter((probe) => probe === systemProbe) : probes;
  // Some probes ask an engine, and then two more programs.
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
      found: "could not be examined",
      details: [error instanceof Error ? error.message : String(error)],
    },
  ];
  try {
    return await Promise.race([looking.catch(thrown), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the findings that prevent `goal`. */
export function missingFor(findings: readonly Finding[], goal: Finding["neededFor"][number]): Finding[] {
  return findings.filter(({ state, neededFor }) => state === "missing" && neededFor.includes(goal));
}

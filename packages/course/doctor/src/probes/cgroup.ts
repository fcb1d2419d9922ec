import type { Machine } from "../machine.ts";
import { switchToCgroup2 } from "../mending/mend-system.ts";
import type { Probe } from "../probe.ts";
import { readText } from "../read-text.ts";

/** The cgroup version of containers. kubelets since 1.35 reject version 1, unless configured otherwise. */
export const cgroupProbe: Probe = {
  subject: "cgroup",
  neededFor: ["kind"],
  async look({ machine, system, engines }) {
    const engine = (await engines).find(({ status }) => status === "ready");
    const version = engine?.cgroup ?? (await mounted(machine));
    if (version === undefined) return [];
    const base = { subject: "cgroup", found: `version ${version}`, neededFor: this.neededFor };
    if (version === 2) return [{ ...base, state: "ok" }];
    const details = [
      "kubelets reject cgroup version 1 since Kubernetes 1.35. pnpm kind-up configures its nodes to accept it. kind by itself fails.",
    ];
    return [{ ...base, state: "weak", details, mend: switchToCgroup2(system) }];
  },
};

/** Source: cgroups(7). Version 2 has one hierarchy, whose root lists its controllers. */
async function mounted(machine: Machine): Promise<1 | 2 | undefined> {
  if ((await readText(machine, "sys/fs/cgroup/cgroup.controllers")) !== undefined) return 2;
  return (await readText(machine, "proc/cgroups")) === undefined ? undefined : 1;
}

import type { Finding } from "../finding.ts";
import { delegateCgroups } from "../mending/mend-engine.ts";
import { switchToCgroup2 } from "../mending/mend-system.ts";
import type { Probe } from "../probe.ts";

/** Checks the requirements of kind for a rootless engine: https://kind.sigs.k8s.io/docs/user/rootless/ */
export const rootlessProbe: Probe = {
  subject: "rootless",
  neededFor: ["kind"],
  async look({ system, engines }) {
    const engine = (await engines).find(({ status }) => status === "ready");
    if (!engine?.rootless) return [];
    const { name, cgroup } = engine;
    const { lacks } = engine.rootless;
    const base: Omit<Finding, "state" | "found"> = { subject: "rootless", neededFor: this.neededFor };
    if (cgroup !== 2) {
      const details = ["kind accepts a rootless engine only with cgroup version 2."];
      const mend = switchToCgroup2(system);
      return [{ ...base, state: "missing", found: `${name}, without cgroup 2`, details, mend }];
    }
    if (lacks.length > 0) {
      const found = `${name} may not limit ${lacks.join(", ")}`;
      const details = ["kind rejects a rootless engine if these cgroup controllers are not delegated to it."];
      return [{ ...base, state: "missing", found, details, mend: delegateCgroups(name, system) }];
    }
    return [{ ...base, state: "ok", found: `${name}, cgroups are delegated` }];
  },
};

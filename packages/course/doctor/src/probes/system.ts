import { installWsl, upgradeWsl } from "../mending/mend-system.ts";
import { everyPage, type Probe } from "../probe.ts";
import { detectSystem } from "../system.ts";

/** Checks the operating system and the processor, for which tools must be published. */
export const systemProbe: Probe = {
  subject: "system",
  neededFor: [...everyPage, "images", "project"],
  async look({ machine, system }) {
    const { name, family, wsl } = await detectSystem(machine);
    const base = { subject: "system", found: `${name}, ${machine.arch}`, neededFor: this.neededFor } as const;
    if (family === "windows" || system.family === "windows") {
      const details = ["Nothing here has been tested on Windows itself. WSL 2 counts as Linux."];
      return [{ ...base, state: "missing", details, mend: installWsl() }];
    }
    if (wsl === 1) {
      const distribution = machine.env.WSL_DISTRO_NAME ?? "Ubuntu";
      const details = ["WSL 1 has no Linux kernel, and so no containers."];
      return [
        { ...base, state: "missing", neededFor: ["kind", "images"], details, mend: upgradeWsl(distribution) },
      ];
    }
    if (machine.arch !== "x64" && machine.arch !== "arm64") {
      const details = [
        "Tools and images are published only for x64 and arm64: you would have to build them yourself.",
      ];
      return [{ ...base, state: "weak", details }];
    }
    return [{ ...base, state: "ok" }];
  },
};

import { executablesOnPath } from "@operator-path/tools";
import { ask } from "../ask.ts";
import type { Finding } from "../finding.ts";
import type { Machine } from "../machine.ts";
import { installPrograms } from "../mending/install-programs.ts";
import { everyPage, type Probe, type Scene } from "../probe.ts";
import { versionsOnPath } from "../versions-on-path.ts";

/** Checks for make, which runs the Makefiles of tutorials 02 to 04, and of every project. */
export const makeProbe: Probe = {
  subject: "make",
  neededFor: [...everyPage, "project"],
  async look(scene) {
    const base = { subject: "make", neededFor: this.neededFor } as const;
    const asks = await asksForTools(scene.machine);
    const [first] = asks ? [] : await versionsOnPath(scene.machine, "make", ["--version"]);
    if (first?.version) return [{ ...base, state: "ok", found: first.version.version, where: first.path }];
    const mend = installPrograms(scene.system, ["make"]);
    const found = asks ? "no command line tools" : (first?.problem ?? "not on the PATH");
    return [{ ...base, state: "missing", found, mend }];
  },
};

/** Without the command line tools, /usr/bin/make of macOS opens a window that offers to install them. */
async function asksForTools(machine: Machine): Promise<boolean> {
  const [make] = await executablesOnPath("make", machine.env);
  if (machine.platform !== "darwin" || !make?.endsWith("/usr/bin/make")) return false;
  const [xcodeSelect] = await executablesOnPath("xcode-select", machine.env);
  if (xcodeSelect === undefined) return true;
  return (await ask(machine, xcodeSelect, ["--print-path"])).outcome !== "answered";
}

/** Other programs that pages run. */
const others: readonly string[] = ["bash", "curl", "grep", "sed"];

export const shellProbe: Probe = {
  subject: "shell",
  neededFor: everyPage,
  look: async (scene) => [await shell(scene)],
};

async function shell({ machine, system }: Scene): Promise<Finding> {
  const found = await Promise.all(
    others.map(async (name) => ({
      name,
      there: (await executablesOnPath(name, machine.env)).length > 0,
    })),
  );
  const missing = found.filter(({ there }) => !there).map(({ name }) => name);
  const base = { subject: "shell", neededFor: everyPage } as const;
  if (missing.length === 0) return { ...base, state: "ok", found: others.join(", ") };
  const mend = installPrograms(system, missing);
  return { ...base, state: "missing", found: `no ${missing.join(", no ")}`, mend };
}

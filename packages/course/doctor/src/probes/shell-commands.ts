import { executablesOnPath } from "@operator-path/tools";
import { ask } from "../ask.ts";
import type { Finding } from "../finding.ts";
import type { Machine } from "../machine.ts";
import { installPackage, type PackageNames } from "../mending/install-package.ts";
import { everyPage, type Probe, type Scene } from "../probe.ts";
import { versionsOnPath } from "../versions-on-path.ts";

/** What Makefiles of operators are run by: tutorials 02 to 04, and every project that they begin. */
export const makeProbe: Probe = {
  subject: "make",
  neededFor: [...everyPage, "project"],
  async look(scene) {
    const base = { subject: "make", neededFor: this.neededFor } as const;
    const asks = await asksForTools(scene.machine);
    const [first] = asks ? [] : await versionsOnPath(scene.machine, "make", ["--version"]);
    if (first?.version) return [{ ...base, state: "ok", found: first.version.version, where: first.path }];
    const mend = installPackage(
      scene.system,
      { apt: "make", dnf: "make", brew: "xcode-select --install" },
      "Install GNU make as your distribution says.",
    );
    const found = asks ? "no command line tools" : (first?.problem ?? "not on the PATH");
    return [{ ...base, state: "missing", found, mend }];
  },
};

/** Without its command line tools macOS has a /usr/bin/make that opens a window, which asks whether to install them. */
async function asksForTools(machine: Machine): Promise<boolean> {
  const [make] = await executablesOnPath("make", machine.env);
  if (machine.platform !== "darwin" || !make?.endsWith("/usr/bin/make")) return false;
  const [xcodeSelect] = await executablesOnPath("xcode-select", machine.env);
  if (xcodeSelect === undefined) return true;
  return (await ask(machine, xcodeSelect, ["--print-path"])).outcome !== "answered";
}

/** Other commands that pages give. macOS has them all; a small Linux, as in a container, may not. */
const others: Readonly<Record<string, PackageNames>> = {
  bash: { apt: "bash", dnf: "bash", brew: "bash" },
  curl: { apt: "curl", dnf: "curl", brew: "curl" },
  grep: { apt: "grep", dnf: "grep", brew: "grep" },
  sed: { apt: "sed", dnf: "sed", brew: "gnu-sed" },
};

export const shellProbe: Probe = {
  subject: "shell",
  neededFor: everyPage,
  look: async (scene) => [await shell(scene)],
};

async function shell({ machine, system }: Scene): Promise<Finding> {
  const found = await Promise.all(
    Object.keys(others).map(async (name) => ({
      name,
      there: (await executablesOnPath(name, machine.env)).length > 0,
    })),
  );
  const missing = found.filter(({ there }) => !there).map(({ name }) => name);
  const base = { subject: "shell", neededFor: everyPage } as const;
  if (missing.length === 0) return { ...base, state: "ok", found: Object.keys(others).join(", ") };
  const all = (manager: keyof PackageNames) =>
    missing.map((name) => others[name]?.[manager] ?? name).join(" ");
  const mend = installPackage(
    system,
    { apt: all("apt"), dnf: all("dnf"), brew: `brew install ${all("brew")}` },
    `Install ${missing.join(", ")} as your distribution says.`,
  );
  return { ...base, state: "missing", found: `no ${missing.join(", no ")}`, mend };
}

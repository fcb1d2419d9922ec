import type { Mend } from "../finding.ts";
import type { System } from "../system.ts";
import { installPackage, type PackageNames } from "./install-package.ts";

/**
 * The packages of programs that pages call. macOS has all of them except make. A small Linux may have none.
 */
const packages: Readonly<Record<string, PackageNames>> = {
  make: { apt: "make", dnf: "make", brew: "xcode-select --install" },
  bash: { apt: "bash", dnf: "bash", brew: "bash" },
  curl: { apt: "curl", dnf: "curl", brew: "curl" },
  grep: { apt: "grep", dnf: "grep", brew: "grep" },
  sed: { apt: "sed", dnf: "sed", brew: "gnu-sed" },
};

/** Returns the commands that install these programs, all at once if the package manager can. */
export function installPrograms(system: System, names: readonly string[]): Mend {
  const of = (name: string): PackageNames => packages[name] ?? { apt: name, dnf: name, brew: name };
  const otherwise = `Install ${names.join(", ")} with your distribution's package manager.`;
  const named = (manager: "apt" | "dnf") => names.map((name) => of(name)[manager]).join(" ");
  if (system.packages !== "brew")
    return installPackage(system, { apt: named("apt"), dnf: named("dnf"), brew: "" }, otherwise);
  return { commands: names.flatMap((name) => installPackage(system, of(name), otherwise).commands) };
}

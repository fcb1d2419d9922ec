import type { Mend } from "../finding.ts";
import type { System } from "../system.ts";

/** The package of one program for each package manager. For brew it may be a whole command. */
export interface PackageNames {
  readonly apt: string;
  readonly dnf: string;
  readonly brew: string;
}

/** Returns the commands that install the distribution's own package. */
export function installPackage(system: System, names: PackageNames, otherwise: string): Mend {
  const { packages } = system;
  const sudo = system.superuser ? "" : "sudo ";
  if (packages === "apt")
    return { commands: [`${sudo}apt-get update`, `${sudo}apt-get install -y ${names.apt}`] };
  if (packages === "dnf") return { commands: [`${sudo}dnf install -y ${names.dnf}`] };
  if (packages === "brew") {
    return { commands: [names.brew.includes(" ") ? names.brew : `brew install ${names.brew}`] };
  }
  return { commands: [], words: [otherwise] };
}

/** Returns the name of an architecture in Go's releases: amd64, arm64. */
export function goArch(arch: string): string {
  return arch === "x64" ? "amd64" : arch;
}

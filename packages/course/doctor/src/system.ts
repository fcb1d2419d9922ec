import type { Machine } from "./machine.ts";
import { readText } from "./read-text.ts";

/** Systems with different commands. WSL is a Linux inside of Windows. */
export const families = ["debian", "fedora", "macos", "windows", "wsl"] as const;

/** `linux` is another distribution, whose package manager is unknown. */
export type Family = (typeof families)[number] | "linux";

/** The operating system. */
export interface System {
  readonly family: Family;
  /** The package manager, in WSL the one of its Linux. */
  readonly packages: "apt" | "dnf" | "brew" | undefined;
  /** The name from os-release: `Debian GNU/Linux 12 (bookworm)`. */
  readonly name: string;
  /** Commands need no sudo. Default: they do. */
  readonly superuser?: boolean;
  /** Version of WSL. Version 1 has no Linux kernel, and no containers. */
  readonly wsl?: 1 | 2;
}

/** Detects the system. Sources: os-release(5), and for WSL the name of the kernel in /proc/version. */
export async function detectSystem(machine: Machine): Promise<System> {
  if (machine.platform === "darwin") return { family: "macos", packages: "brew", name: "macOS" };
  if (machine.platform === "win32") return { family: "windows", packages: undefined, name: "Windows" };
  const release = fields((await readText(machine, "etc/os-release")) ?? "");
  const kernel = (await readText(machine, "proc/version")) ?? "";
  const likes = `${release.get("ID") ?? ""} ${release.get("ID_LIKE") ?? ""}`.split(" ");
  const name = release.get("PRETTY_NAME") ?? "Linux";
  const packages = likes.some((like) => like === "debian" || like === "ubuntu")
    ? "apt"
    : likes.includes("fedora") || likes.includes("rhel")
      ? "dnf"
      : undefined;
  const superuser = machine.superuser && { superuser: true };
  if (/microsoft/i.test(kernel)) {
    const wsl = /wsl2|microsoft-standard/i.test(kernel) ? 2 : 1;
    return { family: "wsl", packages: packages ?? "apt", name: `${name} on WSL ${wsl}`, wsl, ...superuser };
  }
  // Packages for Fedora do not fit other relatives of RHEL.
  const family = packages === "apt" ? "debian" : release.get("ID") === "fedora" ? "fedora" : "linux";
  return { family, packages, name, ...superuser };
}

/** Returns a system of a family, to print its commands. */
export function systemOf(family: (typeof families)[number]): System {
  const system = {
    debian: { packages: "apt", name: "Debian or Ubuntu" },
    fedora: { packages: "dnf", name: "Fedora" },
    macos: { packages: "brew", name: "macOS" },
    windows: { packages: undefined, name: "Windows" },
    wsl: { packages: "apt", name: "Debian or Ubuntu on WSL 2", wsl: 2 },
  } as const;
  return { family, ...system[family] };
}

function fields(text: string): Map<string, string> {
  return new Map(
    text
      .split("\n")
      .map((line) => /^([A-Z_]+)=(["']?)(.*)\2\s*$/.exec(line))
      .filter((match) => match !== null)
      .map((match) => [match[1] as string, match[3] as string]),
  );
}

import { toolRequirements } from "@operator-path/tools";
import type { Mend } from "../finding.ts";
import type { Machine } from "../machine.ts";
import type { System } from "../system.ts";
import { goArch } from "./install-package.ts";

/** Follows the manual: Homebrew on macOS, otherwise the published executable. */
export function installKubectl({ arch }: Machine, { family }: System): Mend {
  const { release, manual } = toolRequirements.kubectl;
  if (family === "macos") return { commands: ["brew install kubectl"], manual };
  return {
    commands: [
      `curl -LO https://dl.k8s.io/release/v${release}/bin/linux/${goArch(arch)}/kubectl`,
      "sudo install -o root -g root -m 0755 kubectl /usr/local/bin/kubectl",
    ],
    manual,
  };
}

/** Uses the script of the Helm project. Packages of distributions are often helm 3. */
export function installHelm(_machine: Machine, { family }: System): Mend {
  const { manual } = toolRequirements.helm;
  if (family === "macos") return { commands: ["brew install helm"], manual };
  return {
    commands: [
      "curl -fsSL -o get_helm.sh \\",
      "  https://raw.githubusercontent.com/helm/helm/main/scripts/get-helm-4",
      "chmod 700 get_helm.sh",
      "./get_helm.sh",
    ],
    manual,
  };
}

export function installKind({ arch }: Machine, { family }: System, release: string): Mend {
  const manual = "https://kind.sigs.k8s.io/docs/user/quick-start/#installation";
  if (family === "macos") return { commands: ["brew install kind"], manual };
  return {
    commands: [
      `curl -Lo ./kind https://kind.sigs.k8s.io/dl/v${release}/kind-linux-${goArch(arch)}`,
      "chmod +x ./kind",
      "sudo mv ./kind /usr/local/bin/kind",
    ],
    manual,
  };
}

/** Source: https://nodejs.org/en/download, which names nvm first, and Homebrew for macOS. */
export function installNode({ family }: System, major: number): Mend {
  const manual = "https://nodejs.org/en/download";
  if (family === "macos") return { commands: ["brew install node"], manual };
  return {
    commands: [
      "curl -o- https://raw.githubusercontent.com/nvm-sh/nvm/v0.40.3/install.sh \\",
      "  | bash",
      '. "$HOME/.nvm/nvm.sh"',
      `nvm install ${major}`,
    ],
    manual,
  };
}

/** A recent Go downloads the version that a module needs by itself. */
export function installGo({ arch }: Machine, { family }: System, release: string): Mend {
  const manual = "https://go.dev/doc/install";
  if (family === "macos") return { commands: ["brew install go"], manual };
  if (family === "fedora") return { commands: ["sudo dnf install -y golang"], manual };
  const archive = `go${release}.linux-${goArch(arch)}.tar.gz`;
  return {
    commands: [
      `curl -LO https://go.dev/dl/${archive}`,
      `sudo tar -C /usr/local -xzf ${archive}`,
      "export PATH=$PATH:/usr/local/go/bin",
    ],
    words: ["If /usr/local/go already exists, move it away first: two versions in one folder do not work."],
    manual,
  };
}

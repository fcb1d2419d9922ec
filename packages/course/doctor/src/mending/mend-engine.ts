import type { EngineName } from "@operator-path/kind";
import type { Mend } from "../finding.ts";
import type { System } from "../system.ts";

const relogin =
  "Then log out and in again: a group takes effect at the next login. Its members are as powerful as root.";

/**
 * Follows Docker's manuals (https://docs.docker.com/engine/install/): its script if that fits, otherwise its
 * repository.
 */
export function installEngine({ family, packages }: System): Mend {
  const join = "sudo usermod -aG docker $USER";
  if (family === "debian") {
    return {
      commands: ["curl -fsSL https://get.docker.com -o get-docker.sh", "sudo sh get-docker.sh", join],
      words: [relogin],
      manual: "https://docs.docker.com/engine/install/",
    };
  }
  if (family === "fedora") {
    return {
      commands: [
        "sudo dnf -y install dnf-plugins-core",
        "sudo dnf config-manager addrepo --overwrite \\",
        "  --from-repofile=https://download.docker.com/linux/fedora/docker-ce.repo",
        "sudo dnf install docker-ce docker-ce-cli containerd.io \\",
        "  docker-buildx-plugin docker-compose-plugin",
        "sudo systemctl enable --now docker",
        join,
      ],
      words: [relogin],
      manual: "https://docs.docker.com/engine/install/fedora/",
    };
  }
  if (family === "macos") {
    return {
      commands: ["brew install --cask docker-desktop", "open -a Docker"],
      words: ["Or colima, without a window: brew install colima docker && colima start --memory 4"],
      manual: "https://docs.docker.com/desktop/setup/install/mac-install/",
    };
  }
  if (family === "wsl" || family === "windows") {
    return {
      shell: "PowerShell",
      commands: ["winget install -e --id Docker.DockerDesktop"],
      words: ["In Docker Desktop's settings, Resources, WSL integration, enable your distribution."],
      manual: "https://docs.docker.com/desktop/features/wsl/",
    };
  }
  return {
    commands: packages === "dnf" ? ["sudo dnf install -y podman"] : [],
    words:
      packages === "dnf"
        ? []
        : ["Install docker, podman or nerdctl with your distribution's package manager."],
    manual: "https://docs.docker.com/engine/install/",
  };
}

/** kind rejects a rootless engine whose user may not limit the resources of containers. */
export function delegateCgroups(name: EngineName, { family }: System): Mend {
  const manual = "https://kind.sigs.k8s.io/docs/user/rootless/";
  if (family === "macos" || family === "windows") {
    return name === "podman"
      ? {
          commands: ["podman machine stop", "podman machine set --rootful", "podman machine start"],
          manual,
        }
      : { commands: [], words: ["Let the virtual machine run its engine as root."], manual };
  }
  const folder = "/etc/systemd/system/user@.service.d";
  return {
    commands: [
      `sudo mkdir -p ${folder}`,
      "printf '[Service]\\nDelegate=yes\\n' \\",
      `  | sudo tee ${folder}/delegate.conf`,
      "sudo systemctl daemon-reload",
    ],
    words: [
      name === "podman"
        ? "Then log out and in again."
        : `Then log out and in again, and: systemctl --user restart ${name === "docker" ? "docker" : "containerd"}.`,
    ],
    manual,
  };
}

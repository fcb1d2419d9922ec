import type { EngineState } from "../engine.ts";
import type { Mend } from "../finding.ts";
import type { System } from "../system.ts";

const relogin =
  "Then log out and in again: a group counts from the next login. Whoever is in it is as good as root.";

/** Docker's own manuals, https://docs.docker.com/engine/install/: its script where that fits, else its repository. */
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
      words: ["In Docker Desktop's settings, Resources, WSL integration, switch your distribution on."],
      manual: "https://docs.docker.com/desktop/features/wsl/",
    };
  }
  return {
    commands: packages === "dnf" ? ["sudo dnf install -y podman"] : [],
    words: packages === "dnf" ? [] : ["Install docker, podman or nerdctl as your distribution says."],
    manual: "https://docs.docker.com/engine/install/",
  };
}

/** For an engine that is installed and is not to be had. */
export function reachEngine(
  { name, status }: EngineState,
  { family }: System,
  host: string | undefined,
): Mend {
  if (host !== undefined) {
    const variable = name === "docker" ? "DOCKER_HOST" : "CONTAINER_HOST";
    return { commands: [`unset ${variable}`], words: [`Or start what should answer at ${host}.`] };
  }
  if (status === "denied") {
    return {
      commands: ["sudo usermod -aG docker $USER"],
      words: [relogin],
      manual: "https://docs.docker.com/engine/install/linux-postinstall/",
    };
  }
  if (name === "podman") {
    // On Linux podman has no daemon: it fails for reasons that only itself can name.
    return {
      commands: family === "macos" ? ["podman machine init", "podman machine start"] : ["podman info"],
    };
  }
  if (family === "macos") {
    return { commands: ["open -a Docker"], words: ["Or, where it is colima's: colima start"] };
  }
  if (family === "wsl") {
    return {
      commands: ["sudo service docker start"],
      words: [
        "Or, where it is Docker Desktop's: start that in Windows, and switch this distribution on in its settings, Resources, WSL integration.",
      ],
    };
  }
  return { commands: [`sudo systemctl start ${name === "docker" ? "docker" : "containerd"}`] };
}

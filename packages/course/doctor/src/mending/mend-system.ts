import type { Mend } from "../finding.ts";
import type { System } from "../system.ts";

/** Source: https://learn.microsoft.com/windows/wsl/install */
export function installWsl(): Mend {
  return {
    shell: "PowerShell",
    commands: ["wsl --install"],
    words: ["Run this as administrator. Then open Ubuntu, and start there, in a folder in its own home."],
    manual: "https://learn.microsoft.com/windows/wsl/install",
  };
}

/** @param distribution as `wsl --list` calls it */
export function upgradeWsl(distribution: string): Mend {
  return { shell: "PowerShell", commands: [`wsl --set-version ${distribution} 2`] };
}

/**
 * Source of kind's limits:
 * https://kind.sigs.k8s.io/docs/user/known-issues/#pod-errors-due-to-too-many-open-files
 */
export function raiseInotify(watches: number, instances: number): Mend {
  return {
    commands: [
      `sudo sysctl fs.inotify.max_user_watches=${watches}`,
      `sudo sysctl fs.inotify.max_user_instances=${instances}`,
    ],
    words: ["To keep them after a restart, write both settings into a file in /etc/sysctl.d."],
    manual: "https://kind.sigs.k8s.io/docs/user/known-issues/",
  };
}

/**
 * Sets the kernel parameter, with the commands of each system. Source: https://kind.sigs.k8s.io/docs/user/rootless/
 */
export function switchToCgroup2({ family }: System): Mend {
  const parameter = "systemd.unified_cgroup_hierarchy=1";
  const manual = "https://kubernetes.io/docs/concepts/architecture/cgroups/";
  if (family === "debian") {
    return {
      commands: [
        "sudo sed -i \\",
        `  's/^GRUB_CMDLINE_LINUX="/&${parameter} /' \\`,
        "  /etc/default/grub",
        "sudo update-grub",
        "sudo reboot",
      ],
      manual,
    };
  }
  if (family === "fedora") {
    return {
      commands: ["sudo grubby --update-kernel=ALL \\", `  --args=${parameter}`, "sudo reboot"],
      manual,
    };
  }
  if (family === "wsl") {
    return {
      shell: "PowerShell",
      commands: ["wsl --update", "wsl --shutdown"],
      words: [
        "If that is not enough, write kernelCommandLine = cgroup_no_v1=all below [wsl2] in %UserProfile%\\.wslconfig.",
      ],
      manual,
    };
  }
  return {
    commands: [],
    words: [`Start the kernel with ${parameter}, or update the system that runs the containers.`],
    manual,
  };
}

export function giveMemory({ family }: System): Mend {
  if (family === "wsl") {
    return {
      shell: "PowerShell",
      commands: ["wsl --shutdown"],
      words: ["Before that, write memory=8GB below [wsl2] in %UserProfile%\\.wslconfig."],
      manual: "https://learn.microsoft.com/windows/wsl/wsl-config",
    };
  }
  if (family === "macos") {
    return { commands: [], words: ["In Docker Desktop's settings, Resources, give it more memory."] };
  }
  return { commands: [], words: ["Close programs that use a lot of memory (top -o %MEM lists them)."] };
}

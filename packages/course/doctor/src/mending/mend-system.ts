import type { Mend } from "../finding.ts";
import type { System } from "../system.ts";

/** Source: https://learn.microsoft.com/windows/wsl/install */
export function installWsl(): Mend {
  return {
    shell: "PowerShell",
    commands: ["wsl --install"],
    words: ["As administrator. Then open Ubuntu, and begin there, in a folder of its own home."],
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
    words: ["To keep them after a restart, write both settings into a file of /etc/sysctl.d."],
    manual: "https://kind.sigs.k8s.io/docs/user/known-issues/",
  };
}

/**
 * Sets the kernel's parameter in the way of each system. Source: https://kind.sigs.k8s.io/docs/user/rootless/
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
      words: ["If it stays: kernelCommandLine = cgroup_no_v1=all below [wsl2] in %UserProfile%\\.wslconfig."],
      manual,
    };
  }
  return {
    commands: [],
    words: [`Start the kernel with ${parameter}, or update what runs the containers.`],
    manual,
  };
}

export function giveMemory({ family }: System): Mend {
  if (family === "wsl") {
    return {
      shell: "PowerShell",
      commands: ["wsl --shutdown"],
      words: ["Before it, write memory=8GB below [wsl2] in %UserProfile%\\.wslconfig."],
      manual: "https://learn.microsoft.com/windows/wsl/wsl-config",
    };
  }
  if (family === "macos") {
    return { commands: [], words: ["In Docker Desktop's settings, Resources, give it more memory."] };
  }
  return { commands: [], words: ["Close what uses much of it (top -o %MEM shows what does)."] };
}

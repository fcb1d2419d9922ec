import { release } from "node:os";
import type { EngineName } from "./engine.ts";

/** The system that the commands are for. WSL is Linux inside Windows. */
export type Surroundings = "linux" | "wsl" | "macos" | "windows";

/** @param kernel as printed by `uname -r`; WSL's contains Microsoft. Default: this machine's */
export function surroundingsOf(platform: NodeJS.Platform, kernel: string = release()): Surroundings {
  if (platform === "darwin") return "macos";
  if (platform === "win32") return "windows";
  return /microsoft/i.test(kernel) ? "wsl" : "linux";
}

/** What the user should do. */
export interface WayOut {
  /** Lines for a shell. */
  readonly commands: readonly string[];
  /** Sentences with what a shell cannot do, or with additional facts. */
  readonly words: readonly string[];
  /** The publisher's documentation. */
  readonly manual?: string;
}

/** An installed engine that cannot be used. */
export interface Unreached {
  readonly engine: EngineName;
  readonly on: Surroundings;
  /** True if the engine denies access to this user. False if nothing listens. */
  readonly denied: boolean;
  /** Its error, which contains the socket. */
  readonly says: string;
  /** Provides DOCKER_HOST and CONTAINER_HOST. */
  readonly env: NodeJS.ProcessEnv;
}

/** Returns DOCKER_HOST or CONTAINER_HOST. Empty counts as unset. */
export function hostOf(engine: EngineName, env: NodeJS.ProcessEnv): string | undefined {
  return (engine === "docker" ? env.DOCKER_HOST : engine === "podman" ? env.CONTAINER_HOST : "") || undefined;
}

/**
 * Returns how to start an engine, or how to get access, judged by its socket. Errors and the doctor use the
 * same text.
 */
export function reachEngine(options: Unreached): WayOut {
  const host = hostOf(options.engine, options.env);
  const socket = host ?? /(?:unix|npipe|tcp|ssh):\/\/[^\s"';]+/.exec(options.says)?.[0] ?? "";
  if (options.denied && (host === undefined || /\/run\/docker\.sock$/.test(host))) return getAccess(options);
  const known = options.engine === "docker" ? starts.find(({ sockets }) => sockets.test(socket)) : undefined;
  if (host !== undefined) {
    const variable = options.engine === "docker" ? "DOCKER_HOST" : "CONTAINER_HOST";
    return known
      ? { commands: [known.command], words: [`Or unset ${variable}, which is ${host}.`] }
      : { commands: [`unset ${variable}`], words: [`Or start the program that should listen at ${host}.`] };
  }
  return known ? { commands: [known.command], words: [] } : start(options);
}

/** Formats it as one line of text. */
export function formatWayOut({ commands, words, manual }: WayOut): string {
  const typed = commands.length === 0 ? [] : [`${commands.map((line) => `\`${line}\``).join(", then ")}.`];
  return [...typed, ...words, ...(manual === undefined ? [] : [manual])].join(" ");
}

/** Engines that a user starts without root, by their socket. */
const starts = [
  { sockets: /\/run\/user\/\d+\/docker\.sock/, command: "systemctl --user start docker" },
  { sockets: /\/\.docker\/desktop\//, command: "systemctl --user start docker-desktop" },
  { sockets: /\/\.docker\/run\//, command: "open -a Docker" },
  { sockets: /\/\.colima\//, command: "colima start" },
  { sockets: /\/\.orbstack\//, command: "open -a OrbStack" },
  { sockets: /\/\.rd\//, command: "rdctl start" },
] as const;

const desktopOnWsl =
  "Or, for Docker Desktop: start it in Windows, and enable this distribution in its settings, Resources, WSL integration.";

function start({ engine, on, says }: Unreached): WayOut {
  if (engine === "podman") {
    return on === "macos" || on === "windows"
      ? { commands: ["podman machine start"], words: ["If there is no machine yet: podman machine init."] }
      : // There is no daemon. Only podman itself knows why it fails.
        {
          commands: ["podman info"],
          words: ["podman needs no daemon here. This command reports what is missing."],
        };
  }
  if (engine === "nerdctl") {
    if (on === "macos") return { commands: ["limactl start"], words: [] };
    if (/rootless|\/run\/user\//.test(says)) {
      const words = ["If it was never set up: containerd-rootless-setuptool.sh install."];
      return { commands: ["systemctl --user start containerd"], words, manual: nerdctlRootless };
    }
  }
  if (on === "macos") return { commands: ["open -a Docker"], words: ["Or, for colima: colima start."] };
  if (on === "windows") return { commands: [], words: ["Start Docker Desktop."] };
  const daemon = engine === "docker" ? "docker" : "containerd";
  // Not every WSL has systemd. With systemd, service calls systemctl.
  return on === "wsl"
    ? { commands: [`sudo service ${daemon} start`], words: engine === "docker" ? [desktopOnWsl] : [] }
    : { commands: [`sudo systemctl start ${daemon}`], words: [] };
}

const nerdctlRootless = "https://github.com/containerd/nerdctl/blob/main/docs/rootless.md";

/** Only docker has a group, and only on Linux. */
function getAccess({ engine, on }: Unreached): WayOut {
  if (engine === "podman") {
    return {
      commands: ["podman info"],
      words: [
        "podman needs no group. Without root, it needs entries for this user in /etc/subuid and /etc/subgid.",
      ],
      manual: "https://github.com/containers/podman/blob/main/docs/tutorials/rootless_tutorial.md",
    };
  }
  if (engine === "nerdctl") {
    const words = ["Without root, nerdctl needs this user's own containerd, not the system's."];
    return { commands: ["containerd-rootless-setuptool.sh install"], words, manual: nerdctlRootless };
  }
  if (on === "macos" || on === "windows") {
    return {
      commands: ["docker context use desktop-linux"],
      words: [
        "This selects Docker Desktop's own socket, which belongs to this user. The context of colima is colima.",
      ],
    };
  }
  return {
    commands: ["sudo usermod -aG docker $USER"],
    words: [
      "Then log out and in again: a group takes effect at the next login. Its members are as powerful as root.",
    ],
    manual: "https://docs.docker.com/engine/install/linux-postinstall/",
  };
}

import { release } from "node:os";
import type { EngineName } from "./engine.ts";

/** Whose commands reach an engine. WSL is a Linux with Windows around it. */
export type Surroundings = "linux" | "wsl" | "macos" | "windows";

/** @param kernel as `uname -r` says it; WSL's names Microsoft. Default: this machine's. */
export function surroundingsOf(platform: NodeJS.Platform, kernel: string = release()): Surroundings {
  if (platform === "darwin") return "macos";
  if (platform === "win32") return "windows";
  return /microsoft/i.test(kernel) ? "wsl" : "linux";
}

/** What a person does. */
export interface WayOut {
  /** Lines for a shell, as they are. */
  readonly commands: readonly string[];
  /** What no shell can do, or what to know: a sentence each. */
  readonly words: readonly string[];
  /** Where this is said by those who publish it. */
  readonly manual?: string;
}

/** An engine that is installed, and is not to be had. */
export interface Unreached {
  readonly engine: EngineName;
  readonly on: Surroundings;
  /** Somebody listens, and not to this user. Otherwise nobody does. */
  readonly denied: boolean;
  /** Its own words, which name the socket that it has tried. */
  readonly says: string;
  /** For DOCKER_HOST and CONTAINER_HOST. */
  readonly env: NodeJS.ProcessEnv;
}

/** DOCKER_HOST or CONTAINER_HOST, where that is set: an empty one counts as none. */
export function hostOf(engine: EngineName, env: NodeJS.ProcessEnv): string | undefined {
  return (engine === "docker" ? env.DOCKER_HOST : engine === "podman" ? env.CONTAINER_HOST : "") || undefined;
}

/**
 * How to start an engine, or to be let in: for what is on the machine, which its socket tells. Errors and the doctor both
 * say what stands here.
 */
export function reachEngine(o: Unreached): WayOut {
  const host = hostOf(o.engine, o.env);
  const socket = host ?? /(?:unix|npipe|tcp|ssh):\/\/[^\s"';]+/.exec(o.says)?.[0] ?? "";
  if (o.denied && (host === undefined || /\/run\/docker\.sock$/.test(host))) return beLetIn(o);
  const known = o.engine === "docker" ? starts.find(({ sockets }) => sockets.test(socket)) : undefined;
  if (host !== undefined) {
    const variable = o.engine === "docker" ? "DOCKER_HOST" : "CONTAINER_HOST";
    return known
      ? { commands: [known.command], words: [`Or unset ${variable}, which is ${host}.`] }
      : { commands: [`unset ${variable}`], words: [`Or start what should listen at ${host}.`] };
  }
  return known ? { commands: [known.command], words: [] } : start(o);
}

/** The same as one line of text. */
export function wayOutInWords({ commands, words, manual }: WayOut): string {
  const typed = commands.length === 0 ? [] : [`${commands.map((line) => `\`${line}\``).join(", then ")}.`];
  return [...typed, ...words, ...(manual === undefined ? [] : [manual])].join(" ");
}

/** Those that a user starts without root, by the socket that each listens at. */
const starts = [
  { sockets: /\/run\/user\/\d+\/docker\.sock/, command: "systemctl --user start docker" },
  { sockets: /\/\.docker\/desktop\//, command: "systemctl --user start docker-desktop" },
  { sockets: /\/\.docker\/run\//, command: "open -a Docker" },
  { sockets: /\/\.colima\//, command: "colima start" },
  { sockets: /\/\.orbstack\//, command: "open -a OrbStack" },
  { sockets: /\/\.rd\//, command: "rdctl start" },
] as const;

const desktopOnWsl =
  "Or, where it is Docker Desktop's: start that in Windows, and switch this distribution on in its settings, Resources, WSL integration.";

function start({ engine, on, says }: Unreached): WayOut {
  if (engine === "podman") {
    return on === "macos" || on === "windows"
      ? { commands: ["podman machine start"], words: ["Where there is none yet: podman machine init."] }
      : // There is no daemon: it fails for reasons that only itself can name.
        { commands: ["podman info"], words: ["It needs no daemon here, and says itself what it lacks."] };
  }
  if (engine === "nerdctl") {
    if (on === "macos") return { commands: ["limactl start"], words: [] };
    if (/rootless|\/run\/user\//.test(says)) {
      const words = ["Where it was never set up: containerd-rootless-setuptool.sh install."];
      return { commands: ["systemctl --user start containerd"], words, manual: nerdctlRootless };
    }
  }
  if (on === "macos")
    return { commands: ["open -a Docker"], words: ["Or, where it is colima's: colima start."] };
  if (on === "windows") return { commands: [], words: ["Start Docker Desktop."] };
  const daemon = engine === "docker" ? "docker" : "containerd";
  // Not every WSL has systemd; with it, service is another word for systemctl.
  return on === "wsl"
    ? { commands: [`sudo service ${daemon} start`], words: engine === "docker" ? [desktopOnWsl] : [] }
    : { commands: [`sudo systemctl start ${daemon}`], words: [] };
}

const nerdctlRootless = "https://github.com/containerd/nerdctl/blob/main/docs/rootless.md";

/** Only docker has a group, and only on Linux. */
function beLetIn({ engine, on }: Unreached): WayOut {
  if (engine === "podman") {
    return {
      commands: ["podman info"],
      words: ["It needs no group; without root it needs lines for this user in /etc/subuid and /etc/subgid."],
      manual: "https://github.com/containers/podman/blob/main/docs/tutorials/rootless_tutorial.md",
    };
  }
  if (engine === "nerdctl") {
    const words = ["Without root nerdctl wants a containerd of this user's, not the system's."];
    return { commands: ["containerd-rootless-setuptool.sh install"], words, manual: nerdctlRootless };
  }
  if (on === "macos" || on === "windows") {
    return {
      commands: ["docker context use desktop-linux"],
      words: ["That is Docker Desktop's own socket, which is this user's; colima's context is colima."],
    };
  }
  return {
    commands: ["sudo usermod -aG docker $USER"],
    words: [
      "Then log out and in again: a group counts from the next login. Whoever is in it is as good as root.",
    ],
    manual: "https://docs.docker.com/engine/install/linux-postinstall/",
  };
}

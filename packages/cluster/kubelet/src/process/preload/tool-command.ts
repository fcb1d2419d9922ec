import { createHash } from "node:crypto";
import { dirname, join, posix } from "node:path";
import { helmArguments } from "./helm-arguments.ts";
import type { HostFiles } from "./host-files.ts";
import { kubeconfigForHost } from "./kubeconfig-paths.ts";
import type { Paths } from "./paths.ts";
import type { ToolSettings } from "./settings.ts";
import { defaultPath, toolEnvironment } from "./tool-environment.ts";

/** What a program in the container asks to be started. */
export interface Asked {
  /** As it names it: a path, or a name that is looked for on the PATH. */
  readonly file: string;
  /** What follows the name of the program. */
  readonly args: readonly string[];
  /** In the container, absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How a tool is started on the host. */
export interface ToolCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ToolCommandOptions {
  readonly tools: ToolSettings;
  readonly paths: Paths;
  /** Of the container, as a folder of the host. */
  readonly root: string;
  readonly files: HostFiles;
}

/**
 * Finds the tool that is asked for, and how it is started on the host: there is no container around it, so paths in its
 * arguments, its environment and its kubeconfig become the host's.
 *
 * @returns why not: the image has nothing of that name, or something that may not be started
 */
export function toolCommand(asked: Asked, o: ToolCommandOptions): ToolCommand | "ENOENT" | "EACCES" {
  const { tools, paths, files } = o;
  const candidates = placesOf(asked);
  const found = candidates.find((path) => Object.hasOwn(tools.executables, path));
  if (found === undefined) {
    const isThere =
      asked.file === process.execPath || candidates.some((path) => files.exists(paths.toHost(path)));
    return isThere ? "EACCES" : "ENOENT";
  }
  const inContainer = (path: string) => posix.resolve(asked.cwd, path);
  const args = [...asked.args];
  const env = toolEnvironment(asked.env, paths.toHost);
  const kubeconfig = kubeconfigOf(args, asked);
  const adopted = kubeconfig.files.flatMap((path) => adopt(inContainer(path), o) ?? []);
  const isPod = env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT;
  const server = args.some((word) => word.startsWith("--kube-apiserver")) || env.HELM_KUBEAPISERVER;
  if (adopted.length > 0) env.KUBECONFIG = adopted.join(":");
  // As client-go does it where there is no kubeconfig, but that its files are in a place of their own.
  else if (!kubeconfig.isFlag && !server)
    env.KUBECONFIG = (isPod ? tools.kubeconfig : undefined) ?? tools.nowhere;
  const rest = kubeconfig.isFlag && adopted.length > 0 ? kubeconfig.without : args;
  return {
    file: tools.executables[found] as string,
    args: helmArguments(rest, (path) => paths.toHost(inContainer(path))),
    cwd: paths.toHost(asked.cwd),
    // The last resort of whoever cleans up after the container.
    env: { ...env, OPERATOR_PATH_ROOT: o.root },
  };
}

/** Where in the container the file may be, in order. */
function placesOf({ file, cwd, env }: Asked): string[] {
  if (file.includes("/")) return [posix.resolve(cwd, file)];
  return (env.PATH ?? defaultPath).split(":").map((folder) => posix.resolve(cwd, folder, file));
}

/** The kubeconfigs that are asked for: by a flag, else by the environment, else the one in HOME. */
function kubeconfigOf(args: readonly string[], { env }: Asked) {
  const end = args.indexOf("--");
  const at = args.findIndex((word, i) => (end < 0 || i < end) && /^--kubeconfig(?:=|$)/.test(word));
  const word = args[at];
  if (word !== undefined) {
    const isSplit = !word.includes("=");
    const file = isSplit ? args[at + 1] : word.slice(word.indexOf("=") + 1);
    const without = args.filter((_, i) => i !== at && !(isSplit && i === at + 1));
    return { isFlag: true, files: file ? [file] : [], without };
  }
  const listed = env.KUBECONFIG?.split(":").filter(Boolean);
  const files = listed?.length ? listed : [posix.join(env.HOME || ".", ".kube", "config")];
  return { isFlag: false, files, without: args };
}

/** @returns a kubeconfig as the host has to have it: itself, or a copy; undefined: there is none */
function adopt(path: string, { paths, tools, files }: ToolCommandOptions): string | undefined {
  const host = paths.toHost(path);
  const text = files.exists(host) ? files.read(host) : undefined;
  if (text === undefined) return undefined;
  const mapped = kubeconfigForHost(text, dirname(path), paths.toHost);
  if (mapped === text) return host;
  // Named by what is in it: an operator that runs for months writes few.
  const name = createHash("sha256").update(mapped).digest("hex").slice(0, 32);
  const copy = join(tools.folder, `kubeconfig-${name}`);
  if (!files.exists(copy)) files.write(copy, mapped);
  return copy;
}

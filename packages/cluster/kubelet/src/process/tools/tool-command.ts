import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { ToolRequest } from "../preload/protocol.ts";
import { copyKubeconfig } from "./container-kubeconfig.ts";
import { type HelmArguments, helmArguments, helmEnvironment } from "./helm-arguments.ts";
import { Refusal, type ToolPaths } from "./tool-paths.ts";
import type { ToolSettings } from "./tool-settings.ts";

/** How the tool is started on the host. */
export interface ToolCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the command is a shell that prints why the tool is not started. */
  readonly isRefusal?: boolean;
}

/** Where a program without a PATH is looked for. */
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Returns the command that starts the requested tool on the host. The tool is outside of the container, so
 * paths in its arguments, its environment and its kubeconfig become the host's. A request that might lead out
 * of the container is refused: the command then prints the reason and fails.
 *
 * @returns ENOENT if the image has no such program, EACCES if it may not be started
 */
export function toolCommand(
  asked: ToolRequest,
  tools: ToolSettings,
  paths: ToolPaths,
): ToolCommand | "ENOENT" | "EACCES" {
  const cwd = paths.toContainer(posix.resolve("/", asked.cwd));
  const inContainer = (path: string) => posix.resolve(cwd, path);
  const candidates = placesOf(asked, inContainer, paths);
  const found = candidates.find((path) => tools.executables.has(path));
  try {
    const toHost = (path: string) => paths.toHost(inContainer(path));
    if (found === undefined) {
      const isThere = asked.file === process.execPath || candidates.some((path) => existsSync(toHost(path)));
      return isThere ? "EACCES" : "ENOENT";
    }
    const helm = helmArguments(asked.args, toHost, (path) => existsSync(toHost(path)));
    const env = helmEnvironment(asked.env, toHost, tools.empty);
    refuseCredentialHelpers(helm, env);
    const KUBECONFIG = kubeconfigOf(helm, asked.env, { tools, paths, inContainer });
    return {
      file: tools.executables.get(found) as string,
      args: helm.args,
      cwd: paths.toHost(cwd),
      // Marks the process for the cleanup after the container.
      env: { ...env, KUBECONFIG, OPERATOR_PATH_ROOT: tools.root },
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const script = 'printf "%s\\n" "$1" >&2; exit 1';
    const args = ["-c", script, "helm", `Error: ${error.message}`];
    return { file: "/bin/sh", args, cwd: tools.root, env: { PATH: tools.empty }, isRefusal: true };
  }
}

/** Returns the container's paths at which the file may be, in order. */
function placesOf(
  { file, env }: ToolRequest,
  inContainer: (path: string) => string,
  { toContainer }: ToolPaths,
): string[] {
  if (file.includes("/")) return [inContainer(toContainer(file))];
  return (env.PATH ?? defaultPath).split(":").map((folder) => inContainer(posix.join(folder || ".", file)));
}

/** Returns the kubeconfig. It is always set, because helm would otherwise use this machine's. */
function kubeconfigOf(
  { kubeconfig: flag, hasServer }: HelmArguments,
  env: Readonly<Record<string, string>>,
  options: { tools: ToolSettings; paths: ToolPaths; inContainer: (path: string) => string },
): string {
  const { tools, paths, inContainer } = options;
  const copy = (path: string) => copyKubeconfig(inContainer(path), tools.folder, paths);
  if (flag !== undefined) {
    const copied = copy(flag);
    if (copied !== undefined) return copied;
    throw new Refusal(`Kubernetes cluster unreachable: stat ${flag}: no such file or directory`);
  }
  const listed = env.KUBECONFIG?.split(":").filter(Boolean) ?? [];
  const files = listed.length > 0 ? listed : [posix.join(env.HOME || "/", ".kube", "config")];
  const copied = files.flatMap((path) => copy(path) ?? []);
  if (copied.length > 0) return copied.join(":");
  const isPod = env.KUBERNETES_SERVICE_HOST && env.KUBERNETES_SERVICE_PORT;
  const isElsewhere = hasServer || env.HELM_KUBEAPISERVER;
  return (isPod && !isElsewhere ? tools.kubeconfig : undefined) ?? tools.nowhere;
}

/**
 * Rejects registry configurations that name a credential helper, which is a program.
 * @throws Refusal
 */
function refuseCredentialHelpers(
  { registryConfig }: HelmArguments,
  env: Readonly<Record<string, string>>,
): void {
  const { HELM_REGISTRY_CONFIG, HELM_CONFIG_HOME, XDG_CONFIG_HOME, HOME = "" } = env;
  const files = [
    registryConfig,
    HELM_REGISTRY_CONFIG,
    HELM_CONFIG_HOME && join(HELM_CONFIG_HOME, "registry", "config.json"),
    XDG_CONFIG_HOME && join(XDG_CONFIG_HOME, "helm", "registry", "config.json"),
    join(HOME, ".config", "helm", "registry", "config.json"),
    join(HOME, ".docker", "config.json"),
  ];
  for (const file of files) {
    if (!file || !existsSync(file)) continue;
    // Names may contain escapes, so the parsed names are compared, in lower case.
    const names: string[] = [];
    try {
      JSON.parse(readFileSync(file, "utf8"), (name, value) => {
        names.push(name.toLowerCase());
        return value;
      });
    } catch {
      continue;
    }
    if (names.includes("credsstore") || names.includes("credhelpers"))
      throw new Refusal(
        "a registry configuration names a credential helper, which a Pod that is a process of this machine may not start",
      );
  }
}

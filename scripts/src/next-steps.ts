import { dirname } from "node:path";
import { type ClusterState, containerToolPath, type Engine } from "@operator-path/kind";
import { executablesOnPath, findTool, quote, type ToolName } from "@operator-path/tools";

/** The default cluster name of kind-up and kind-down. Not `kind`, which may be a cluster of the user's own. */
export const defaultCluster = "operator-path";

/** The container engine for `container-tool` and kind. kind uses docker by default. */
export function clusterVariables(name: string, engine: Engine): Readonly<Record<string, string>> {
  return {
    KIND_CLUSTER: name,
    ...(engine.name !== "docker" && { KIND_EXPERIMENTAL_PROVIDER: engine.name }),
  };
}

/**
 * Returns the commands to type once a cluster is up. `shell` replaces the general lines with those of a
 * tutorial's shell.
 */
export async function nextSteps(
  { name, nodes, version }: ClusterState,
  engine: Engine,
  { kubeconfig, shell }: { readonly kubeconfig?: string; readonly shell?: readonly string[] },
): Promise<string[]> {
  const [cloudProvider] = await executablesOnPath("cloud-provider-kind", process.env);
  return [
    `cluster ${name} is up: ${nodes.join(", ")}${version === undefined ? "" : `, Kubernetes ${version}`}`,
    `  kubectl's context is kind-${name}`,
    "",
    ...(shell ?? (await linesForAny(name, engine, kubeconfig))),
    ...(cloudProvider ? ["cloud-provider-kind &   # gives Services of type LoadBalancer an address"] : []),
    "",
    `pnpm kind-down${name === defaultCluster ? "" : ` --name ${name}`} removes it.`,
  ];
}

async function linesForAny(name: string, engine: Engine, kubeconfig: string | undefined): Promise<string[]> {
  const folders = await Promise.all((["kubectl", "kind"] as const).map(folderOf));
  const off = folders.filter((folder) => folder !== undefined).map(quote);
  // make splits its words at spaces, and the shell below it takes the backslash away.
  const tool = containerToolPath().replaceAll(" ", "\\ ");
  return [
    ...(kubeconfig === undefined ? [] : [`export KUBECONFIG=${quote(kubeconfig)}`]),
    // For Makefiles: `make docker-push` loads the image into the nodes.
    `export CONTAINER_TOOL=${quote(tool)}`,
    ...Object.entries(clusterVariables(name, engine)).map(([key, value]) => `export ${key}=${value}`),
    ...(off.length === 0 ? [] : [`export PATH=${off.join(":")}:"$PATH"`]),
  ];
}

/** Returns the folder of a tool that is not on the PATH; undefined when it is on the PATH, or missing. */
async function folderOf(tool: ToolName): Promise<string | undefined> {
  const found = await findTool(tool).catch(() => undefined);
  return found === undefined || found.source === "PATH" ? undefined : dirname(found.path);
}

import { dirname } from "node:path";
import { type ClusterState, containerToolPath } from "@operator-path/kind";
import { findTool, type ToolName } from "@operator-path/tools";

/** What a person types next, once a cluster is there. */
export async function nextSteps(
  { name, nodes, version }: ClusterState,
  kubeconfig?: string,
): Promise<string[]> {
  const folders = await Promise.all((["kubectl", "kind"] as const).map(folderOf));
  const off = folders.filter((folder) => folder !== undefined).map(quote);
  return [
    `cluster ${name} is up: ${nodes.join(", ")}${version === undefined ? "" : `, Kubernetes ${version}`}`,
    `  kubectl's context is kind-${name}`,
    "",
    ...(kubeconfig === undefined ? [] : [`export KUBECONFIG=${quote(kubeconfig)}`]),
    // For Makefiles: `make docker-push` loads the image into the nodes.
    `export CONTAINER_TOOL=${quote(containerToolPath())}`,
    ...(name === "kind" ? [] : [`export KIND_CLUSTER=${name}`]),
    ...(off.length === 0 ? [] : [`export PATH=${off.join(":")}:"$PATH"`]),
    "",
    `pnpm kind-down${name === "kind" ? "" : ` --name ${name}`} removes it.`,
  ];
}

/** Where a tool is that is not on the PATH; undefined when it is there, or nowhere. */
async function folderOf(tool: ToolName): Promise<string | undefined> {
  const found = await findTool(tool).catch(() => undefined);
  return found === undefined || found.source === "PATH" ? undefined : dirname(found.path);
}

/** For a POSIX shell; only what needs it. */
function quote(text: string): string {
  return /^[\w./@%+=:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
